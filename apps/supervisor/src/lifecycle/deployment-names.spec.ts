import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudRefusal } from '@libs/cloud';
import { openObjectStore } from '@libs/object-store';
import { FakeDns, WorkflowBench } from '@libs/testing';
import { assembleLifecycle, workflowsOf } from '../../test/assemble-lifecycle.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { DeploymentDestruction } from './deployment-destruction.js';
import { DeploymentNames } from './deployment-names.js';
import { DeploymentResources } from './deployment-resources.js';

const SIGNAL = new AbortController().signal;

describe('The name of a deployment', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const rowsOf = (deploymentId: number) =>
    bench.rows<{ name: string; driver: string; intent: string; error: string | null }>(
      `select name, driver, intent, error from cloud_resources where deployment_id = $1 and kind = 'dns_record'`,
      [deploymentId],
    );
  const nameOf = async (deploymentId: number): Promise<string> => {
    const [row] = await bench.rows<{ code: string }>('select code from deployments where id = $1', [deploymentId]);
    return `${row?.code}.us-east-1.aws.test.local`;
  };
  /** The lifecycle of a Supervisor whose setting is the first of the drivers. */
  const after = async (cloud: LifecycleFixture['cloud'], ...dns: FakeDns[]) => {
    const store = openObjectStore(undefined, mkdtempSync(join(bench.directory, 'objects-')));
    const { database, secrets } = bench;
    return assembleLifecycle({ database, secrets, cloud, dns, store });
  };

  it('points to the load balancer, and belongs to the deployment', async () => {
    const { dns, deploymentId } = await LifecycleFixture.serving(bench, 1);
    const fqdn = await nameOf(deploymentId);

    expect([...dns.names.values()]).toEqual([
      expect.objectContaining({
        ...{ fqdn, target: '127.0.0.1', state: 'active' },
        owner: { installation: 'test', deployment_id: deploymentId },
      }),
    ]);
    expect(await rowsOf(deploymentId)).toEqual([{ name: fqdn, driver: 'local', intent: 'present', error: null }]);
  });

  it('is not published for a deployment without a name', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    await bench.rows('update deployments set subdomain_enabled = false where id = $1', [fixture.deploymentId]);
    const operation = await fixture.start('provision_deployment');

    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );

    expect(await fixture.status()).toBe('initialized');
    expect(fixture.dns.calls).toEqual([]);
    expect(await rowsOf(fixture.deploymentId)).toEqual([]);
  });

  it('is removed before the address that it points to', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { cloud, dns, deploymentId } = fixture;
    const destroy = cloud.destroy.bind(cloud);
    const published: number[] = [];
    cloud.destroy = (...call) => {
      published.push(dns.names.size);
      return destroy(...call);
    };
    const operation = await bench.start({ type: 'delete_deployment', deploymentId });

    dns.refuses = () => ({ code: 'unavailable' });
    await bench.runner([fixture.workflows.deletion]).run(operation);
    expect(cloud.resources.size).toBeGreaterThan(0);
    dns.refuses = () => null;
    await bench.drive(operation, () => bench.runner([fixture.workflows.deletion]));

    expect(published.length).toBeGreaterThan(0);
    expect(new Set(published)).toEqual(new Set([0]));
    expect(cloud.resources.size).toBe(0);
  });

  it('is not published again by a caller that comes after the begin of its removal', async () => {
    const { module, dns, deploymentId } = await LifecycleFixture.serving(bench, 1);
    const facts = await module.get(DeploymentResources, { strict: false }).facts(deploymentId);
    const destruction = module.get(DeploymentDestruction, { strict: false });
    while ((await destruction.destroyAll(deploymentId, SIGNAL)).length > 0);

    await expect(module.get(DeploymentNames, { strict: false }).ensure(facts, SIGNAL)).rejects.toThrow(
      'is being removed',
    );

    expect(dns.names.size).toBe(0);
  });

  it('keeps its driver when the setting changes, until it is removed', async () => {
    const { cloud, dns: old, deploymentId } = await LifecycleFixture.serving(bench, 1);
    const chosen = new FakeDns('rfc2136');
    const module = await after(cloud, chosen, old);
    const operation = await bench.start({ type: 'delete_deployment', deploymentId });

    expect(await bench.drive(operation, () => bench.runner([workflowsOf(module).deletion]))).toBe('succeeded');

    expect([old.names.size, chosen.calls]).toEqual([0, []]);
  });

  it('holds its removal while the settings do not allow its driver', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { cloud, deploymentId } = fixture;
    await bench.rows(`update cloud_resources set driver = 'rfc2136' where deployment_id = $1 and kind = 'dns_record'`, [
      deploymentId,
    ]);
    const operation = await bench.start({ type: 'delete_deployment', deploymentId });

    await bench.runner([workflowsOf(await after(cloud, fixture.dns)).deletion]).run(operation);

    const [runtime] = await bench.rows<{ status: string; status_reason: string }>(
      'select status, status_reason from deployment_runtimes where deployment_id = $1',
      [deploymentId],
    );
    expect(runtime?.status).toBe('deleting');
    expect(runtime?.status_reason).toContain('needs DNS_SERVER and DNS_TSIG_KEY');
    expect(cloud.resources.size).toBeGreaterThan(0);
  });

  it.each<[string, CloudRefusal]>([
    ['quota', { code: 'quota', name: 'records' }],
    ['denied', { code: 'denied', actions: [] }],
  ])('shows in the deployment why it is not published: %s', async (code, refusal) => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    fixture.dns.refuses = () => refusal;
    const operation = await fixture.start('provision_deployment');
    for (let run = 0; run < 6; run += 1) {
      await bench.rows('update operations set wake_at = now() where id = $1', [operation]);
      await bench.runner([fixture.workflows.provision]).run(operation);
    }

    const reason = `the fake names refuse: ${code}`;
    expect(await rowsOf(fixture.deploymentId)).toEqual([expect.objectContaining({ intent: 'present', error: reason })]);
    const [runtime] = await bench.rows(
      'select status, status_reason from deployment_runtimes where deployment_id = $1',
      [fixture.deploymentId],
    );
    expect(runtime).toEqual({ status: 'configuring_dns', status_reason: reason });
    fixture.dns.refuses = () => null;
    const drive = () => bench.runner([fixture.workflows.provision]);
    expect(await bench.drive(operation, drive, () => fixture.agentsReport())).toBe('succeeded');
  });

  it('of a release without rows is also removed, and a certificate of that release does not stop the deletion', async () => {
    const { cloud, dns, deploymentId, workflows } = await LifecycleFixture.serving(bench, 1);
    const legacy = `ld-test-${deploymentId}-dns-record`;
    await dns.ensure(legacy, '127.0.0.1', { installation: 'test', deployment_id: deploymentId });
    await bench.rows(
      `insert into cloud_resources (kind, name, deployment_id, driver, intent)
       values ('certificate', $1, $2, 'local', 'present'), ('dns_record', 'ld-machine', $2, 'machines', 'present')`,
      [`ld-test-${deploymentId}-certificate`, deploymentId],
    );
    const operation = await bench.start({ type: 'delete_deployment', deploymentId });

    expect(await bench.drive(operation, () => bench.runner([workflows.deletion]))).toBe('succeeded');

    expect([cloud.resources.size, dns.names.size]).toEqual([0, 0]);
  });
});
