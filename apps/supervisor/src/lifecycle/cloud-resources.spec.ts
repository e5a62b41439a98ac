import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { openObjectStore } from '@libs/object-store';
import { MIGRATIONS } from '@libs/persistence/migrations';
import { NodesRepository } from '@libs/persistence/runtime';
import { FakeCloud, WorkflowBench } from '@libs/testing';
import type { QueryRunner } from 'typeorm';
import { assembleLifecycle, workflowsOf } from '../../test/assemble-lifecycle.fixture.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../test/private-connection.fixture.js';
import { DeploymentDestruction } from './deployment-destruction.js';
import { DeploymentResources } from './deployment-resources.js';

interface Row {
  kind: string;
  name: string;
  driver: string;
  intent: string;
}

describe('The rows of cloud resources', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const rowsOf = (...deploymentIds: number[]): Promise<Row[]> =>
    bench.rows<Row>(
      'select kind, name, driver, intent from cloud_resources where deployment_id = any($1) order by kind, name',
      [deploymentIds],
    );
  const remove = async ({ deploymentId, workflows }: Pick<LifecycleFixture, 'deploymentId' | 'workflows'>) => {
    const operation = await bench.start({ type: 'delete_deployment', deploymentId });
    return bench.drive(operation, () => bench.runner([workflows.deletion]));
  };

  it('are committed before the first call for each resource', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 2);
    const { cloud, dns } = fixture;
    const without: string[] = [];
    const requireRow = async (kind: string, name: string): Promise<void> => {
      const rows = await bench.rows('select 1 from cloud_resources where kind = $1 and name = $2', [kind, name]);
      if (rows.length === 0) without.push(name);
    };
    const [ensure, publish] = [cloud.ensure.bind(cloud), dns.ensure.bind(dns)];
    cloud.ensure = async (kind, ref, ...rest) => {
      await requireRow(kind, ref.name);
      return ensure(kind, ref, ...rest);
    };
    dns.ensure = async (fqdn, ...rest) => {
      await requireRow('dns_record', fqdn);
      return publish(fqdn, ...rest);
    };
    const operation = await fixture.start('provision_deployment');

    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );

    expect(without).toEqual([]);
    expect((await rowsOf(fixture.deploymentId)).map(({ name }) => name).sort()).toEqual(
      [...cloud.resources.keys(), ...dns.names.keys()].sort(),
    );
    expect(dns.names.size).toBe(1);
  });

  it('say absent before the first call of a deletion, and go with the deployment', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { cloud, dns, deploymentId } = fixture;
    const [destroy, withdraw] = [cloud.destroy.bind(cloud), dns.destroy.bind(dns)];
    const intents = new Set<string>();
    const readIntents = async (): Promise<void> => {
      for (const { intent } of await rowsOf(deploymentId)) intents.add(intent);
    };
    cloud.destroy = (...call) => readIntents().then(() => destroy(...call));
    dns.destroy = (...call) => readIntents().then(() => withdraw(...call));

    expect(await remove(fixture)).toBe('succeeded');

    expect([...intents]).toEqual(['absent']);
    expect([cloud.resources.size, dns.names.size]).toEqual([0, 0]);
    expect(await rowsOf(deploymentId)).toEqual([]);
  });

  it('let no late caller create a resource whose deletion has begun', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const resources = fixture.module.get(DeploymentResources, { strict: false });
    const signal = new AbortController().signal;
    const [node] = await new NodesRepository(bench.database).list(fixture.deploymentId);
    const facts = await resources.facts(fixture.deploymentId);
    const destruction = fixture.module.get(DeploymentDestruction, { strict: false });
    while ((await destruction.destroyAll(facts.id, signal)).length > 0);

    await expect(resources.ensureNode(facts, node!, signal)).rejects.toThrow('is being removed');

    expect(fixture.cloud.resources.size).toBe(0);
  });

  it('do without rows when a release from before created the resources', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    await bench.rows('delete from cloud_resources where deployment_id = $1', [fixture.deploymentId]);

    expect(await remove(fixture)).toBe('succeeded');

    expect(fixture.cloud.resources.size).toBe(0);
  });

  it('keep the driver of living deployments when the setting changes, until they are deleted', async () => {
    const old = [];
    for (let count = 0; count < 3; count += 1) old.push(await LifecycleFixture.serving(bench, 1));
    const [machine, cloud] = [new FakeCloud('local'), new FakeCloud('another')];
    for (const fixture of old)
      for (const [name, resource] of fixture.cloud.resources) machine.resources.set(name, resource);
    const store = openObjectStore(undefined, mkdtempSync(join(bench.directory, 'objects-')));
    const { database, secrets } = bench;
    const module = await assembleLifecycle({ database, secrets, cloud, others: [machine], store });
    const after = workflowsOf(module);
    const resources = module.get(DeploymentResources, { strict: false });
    const id = old[0]?.deploymentId ?? 0;
    const nodes = await new NodesRepository(database).list(id);

    const { signal } = new AbortController();
    for (const node of nodes) await resources.ensureNode(await resources.facts(id), node, signal);
    await resources.ensureNodes(await resources.facts(id), nodes, signal);
    expect(machine.calls).toEqual(['ensure', 'describe']);

    for (const { deploymentId } of old) expect(await remove({ deploymentId, workflows: after })).toBe('succeeded');

    expect(machine.resources.size).toBe(0);
    expect(cloud.calls).toEqual([]);
    const fresh = await LifecycleFixture.ordered(bench, 1);
    const operation = await fresh.start('provision_deployment');
    await bench.rows('update operations set wake_at = now() where id = $1', [operation]);
    await bench.runner([after.provision]).run(operation);
    expect(cloud.calls).toEqual(['ensure']);
    expect((await rowsOf(fresh.deploymentId)).map(({ driver }) => driver)).toEqual(['another']);
  });

  it('are written for all living resources by the migration, which calls no provider', async () => {
    const [one, two] = [await LifecycleFixture.serving(bench, 2), await LifecycleFixture.serving(bench, 1)];
    await PrivateConnectionFixture.made(bench, 'vpc_peering', one);
    const going = await LifecycleFixture.serving(bench, 1);
    await bench.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [
      going.deploymentId,
    ]);
    // An upgrade that rolls back: its deployment stays.
    await bench.rows(`update deployment_runtimes set status = 'rolling_back' where deployment_id = $1`, [
      two.deploymentId,
    ]);
    const ids = [one, two, going].map(({ deploymentId }) => deploymentId);
    const before = await rowsOf(...ids);
    const calls = [one, two, going].map(({ cloud }) => cloud.calls.length);
    await migrateAgain();

    const after = await rowsOf(...ids);

    expect(after).toEqual(
      expect.arrayContaining(
        before.filter(({ kind, name }) => kind !== 'dns_record' && !name.includes(`-${going.deploymentId}-`)),
      ),
    );
    // The names of the releases before, which only the driver \`local\` has published. Certificates have no rows any more.
    const names = ids.map((id) => ({
      ...{ kind: 'dns_record', name: `ld-test-${id}-dns-record`, driver: 'local' },
      intent: id === going.deploymentId ? 'absent' : 'present',
    }));
    const certificateRows = after.filter(({ kind }) => ['dns_record', 'certificate'].includes(kind));
    expect(new Set(certificateRows)).toEqual(new Set(names));
    for (const { cloud } of [one, two, going])
      expect(after.map(({ name }) => name)).toEqual(expect.arrayContaining([...cloud.resources.keys()]));
    expect((await rowsOf(going.deploymentId)).map(({ intent }) => intent)).not.toContain('present');
    expect([one, two, going].map(({ cloud }) => cloud.calls.length)).toEqual(calls);
    expect(await placesOf(one.deploymentId)).toEqual([
      { kind: 'node', cloud: 'aws', region: 'us-east-1', incarnation: 1, isOfNode: true },
      { kind: 'network', cloud: 'aws', region: 'us-east-1', incarnation: 1, isOfNode: false },
    ]);
    expect(await remove(one)).toBe('succeeded');
    expect(one.cloud.resources.size).toBe(0);
  });

  it('keep the place of each resource, also of a replaced node', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { cloud, deploymentId } = fixture;
    const resources = fixture.module.get(DeploymentResources, { strict: false });
    const nodes = new NodesRepository(bench.database);
    const signal = new AbortController().signal;
    const facts = await resources.facts(deploymentId);
    const [before] = await nodes.list(deploymentId);
    const [row] = await nodeRowsOf(deploymentId);
    await bench.rows('update nodes set epoch = epoch + 1 where deployment_id = $1', [deploymentId]);
    const [after] = await nodes.list(deploymentId);
    const regions: string[] = [];
    const ensure = cloud.ensure.bind(cloud);
    cloud.ensure = async (kind, ref, ...rest) => {
      regions.push(ref.at.region);
      return ensure(kind, ref, ...rest);
    };

    await resources.ensureNode(facts, before!, signal);
    await resources.ensureNode(facts, after!, signal);
    await resources.ensureNode(facts, before!, signal);

    expect(row).toEqual({ error: null, isSeen: true });
    expect(regions).toEqual(['us-east-1', 'us-east-1', 'us-east-1']);
  });

  it('have the last refusal of the provider until a call is accepted', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const resources = fixture.module.get(DeploymentResources, { strict: false });
    const facts = await resources.facts(fixture.deploymentId);
    const [node] = await new NodesRepository(bench.database).list(fixture.deploymentId);
    const signal = new AbortController().signal;

    fixture.cloud.refuses = () => ({ code: 'quota', name: 'vcpus' });
    await expect(resources.ensureNode(facts, node!, signal)).rejects.toThrow();
    const [refused] = await nodeRowsOf(fixture.deploymentId);
    fixture.cloud.refuses = () => null;
    await resources.ensureNode(facts, node!, signal);

    expect(refused?.error).toContain('quota');
    expect((await nodeRowsOf(fixture.deploymentId))[0]?.error).toBeNull();
  });

  const nodeRowsOf = (deploymentId: number) =>
    bench.rows<{ error: string | null; isSeen: boolean }>(
      `select error, seen_at is not null as "isSeen" from cloud_resources where deployment_id = $1 and kind = 'node'`,
      [deploymentId],
    );
  const placesOf = (deploymentId: number) =>
    bench.rows(
      `select distinct kind, cloud, region, incarnation, node_id is not null as "isOfNode" from cloud_resources
        where deployment_id = $1 and kind in ('network', 'node') order by kind desc`,
      [deploymentId],
    );

  async function migrateAgain(): Promise<void> {
    const names = ['CloudResources', 'PlacesOfResources', 'NamesOutsideClouds'];
    const migrations = names.map((start) =>
      MIGRATIONS.map((Migration) => new Migration()).find(({ name }) => name.startsWith(start)),
    );
    const runner = { query: (text: string) => bench.rows(text) } as unknown as QueryRunner;
    for (const migration of [...migrations].reverse()) await migration?.down(runner);
    for (const migration of migrations) await migration?.up(runner);
  }
});
