import { Logger } from '@nestjs/common';
import type { CloudProvider, LoadBalancerSpec } from '@libs/cloud';
import {
  NodeAgentsRepository,
  NodeDocumentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
  RedirectionsRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { DeploymentNames, DeploymentResources } from '../lifecycle/index.js';
import { NodeReplacement } from './node-replacement.js';
import { RedirectionReconciler } from './redirection-reconciler.js';

class OnePass extends RedirectionReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('Clients of a deployment after a node got another machine', () => {
  let bench: WorkflowBench;
  let cells = 0;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** A deployment of two nodes in its own cell. */
  async function given(isPublic: boolean, addresses: CloudProvider['addresses'] = 'own') {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const { module, cloud, dns, deploymentId } = fixture;
    cloud.addresses = addresses;
    const cell = `redirected-${(cells += 1)}`;
    await bench.rows('update deployments set public_ip_enabled = $2 where id = $1', [deploymentId, isPublic]);
    await bench.rows(`update deployment_runtimes set cell = $2, load_balancer = $3 where deployment_id = $1`, [
      ...[deploymentId, cell],
      isPublic ? '127.0.0.1' : null,
    ]);
    const { database, secrets } = bench;
    const [redirections, nodes] = [new RedirectionsRepository(database), new NodesRepository(database)];
    const resources = module.get(DeploymentResources, { strict: false });
    const replacement = new NodeReplacement(
      database,
      new NodeAgentsRepository(database, secrets),
      new NodeRevivalsRepository(database),
      nodes,
      new NodeDocumentsRepository(database, secrets),
      redirections,
    );
    const reconciler = new OnePass(
      redirections,
      new RuntimesRepository(database),
      nodes,
      resources,
      module.get(DeploymentNames, { strict: false }),
      { SUPERVISOR_CELL: cell } as SupervisorConfig,
    );
    const replace = async (private_ip: string): Promise<void> => {
      const [node] = await nodes.list(deploymentId);
      if (!node) throw new TypeError('the deployment has no node');
      const attributes = { private_ip, public_ip: null, zone: 'a', image_id: 'image' };
      await replacement.publishAddress(node, await resources.facts(deploymentId), attributes);
    };
    const isDue = async (): Promise<boolean> => (await redirections.due(cell, 10)).length > 0;
    cloud.specs.clear();
    const target = (): unknown => [...dns.names.values()][0]?.target;
    const publicIps = async () => (await nodes.list(deploymentId)).map(({ public_ip }) => public_ip);
    return { cloud, dns, deploymentId, reconciler, replace, isDue, target, redirections, cell, publicIps };
  }

  it('are led by the name to its new private address, and to the other nodes', async () => {
    const { cloud, reconciler, replace, isDue, target } = await given(false);
    await replace('10.0.0.77');

    await reconciler.once();

    expect(target()).toEqual(['10.0.0.77', '127.0.0.1']);
    expect(await isDue()).toBe(false);
    expect(cloud.specs.size).toBe(0);
  });

  it('are led by the load balancer of a public deployment, whose name stays', async () => {
    const { cloud, deploymentId, reconciler, replace, isDue, target } = await given(true);
    await replace('10.0.0.77');

    await reconciler.once();

    const { listeners } = cloud.specs.get(`ld-test-${deploymentId}-load-balancer`) as LoadBalancerSpec;
    expect(listeners.length).toBeGreaterThan(0);
    expect(target()).toBe('127.0.0.1');
    expect(await isDue()).toBe(false);
  });

  it('find the node at its public address again, because the address moves to the new machine', async () => {
    const { cloud, deploymentId, reconciler, replace, isDue, publicIps } = await given(true);
    await replace('10.0.0.77');
    expect(await publicIps()).toContain(null);

    await reconciler.once();

    expect(await publicIps()).toEqual(['127.0.0.1', '127.0.0.1']);
    expect([...cloud.specs.keys()].filter((name) => name.startsWith(`ld-test-${deploymentId}-address-`))).toHaveLength(
      2,
    );
    expect(await isDue()).toBe(false);
  });

  it('are led there later when a provider refuses, after the other deployments', async () => {
    const { cloud, reconciler, replace, isDue } = await given(true);
    await replace('10.0.0.77');
    cloud.refuses = () => ({ code: 'unavailable' });
    await reconciler.once();
    expect(await isDue()).toBe(true);

    cloud.refuses = () => null;
    await reconciler.once();

    expect(await isDue()).toBe(false);
  });

  it('are led again when another node changes meanwhile', async () => {
    const { dns, reconciler, replace, isDue, target } = await given(false);
    await replace('10.0.0.77');
    const ensure = dns.ensure.bind(dns);
    dns.ensure = async (...call) => {
      dns.ensure = ensure;
      const published = await ensure(...call);
      await replace('10.0.0.78');
      return published;
    };

    await reconciler.once();
    expect(await isDue()).toBe(true);
    await reconciler.once();

    expect(target()).toEqual(['10.0.0.78', '127.0.0.1']);
    expect(await isDue()).toBe(false);
  });

  it('are not redirected while the deployment is being deleted', async () => {
    const { deploymentId, replace, isDue } = await given(false);
    await replace('10.0.0.77');

    await bench.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [deploymentId]);

    expect(await isDue()).toBe(false);
  });
});
