import { IncidentsRepository } from '@libs/persistence/platform';
import { CloudResourcesRepository, PrivateConnectionsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { CloudError } from '@libs/cloud';
import { Logger } from '@nestjs/common';
import { WorkflowBench, type FakeCloud } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../test/private-connection.fixture.js';
import { CloudResources } from '../lifecycle/cloud-resources.js';
import { PrivateConnectionResources } from '../lifecycle/private-connections/private-connection-resources.js';
import { CloudProviders } from '../platform/cloud-providers.js';
import { Installation } from '../platform/installation.js';
import { UnknownResourcesReconciler } from './unknown-resources-reconciler.js';

class ManualPassReconciler extends UnknownResourcesReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('The reconciler of unknown resources', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const reconcilerOf = (cloud: FakeCloud): ManualPassReconciler => {
    const providers = new CloudProviders(new Map([['aws', cloud]]));
    const installation = new Installation('test');
    const resources = new CloudResourcesRepository(bench.database);
    const runtimes = new RuntimesRepository(bench.database);
    const cloudResources = new CloudResources(resources, providers);
    const connectionResources = new PrivateConnectionResources(cloudResources, runtimes, installation);
    const config = { NODE_UNREACHABLE_SECONDS: 120, SUPERVISOR_CELL: 'local' } as unknown as SupervisorConfig;
    const { database } = bench;
    const rows = [runtimes, new PrivateConnectionsRepository(database), resources] as const;
    const incidents = new IncidentsRepository(database);
    return new ManualPassReconciler(...rows, incidents, providers, installation, connectionResources, config);
  };
  const open = async (): Promise<string[]> =>
    (
      await bench.rows<{ subject: string }>(
        `select subject from incidents where kind = 'unknown_resource' and closed_at is null order by id`,
      )
    ).map(({ subject }) => subject);

  it('accepts a private connection with a row, and reports one without a row although its deployment exists', async () => {
    const lifecycle = await LifecycleFixture.ordered(bench, 1);
    const connection = await PrivateConnectionFixture.made(bench, 'vpc_peering', lifecycle);
    const leaving = await PrivateConnectionFixture.made(bench, 'endpoint_service', lifecycle);
    await leaving.connections.markDeleting(leaving.id, 'deleting');
    const lost = await PrivateConnectionFixture.made(bench, 'service_attachment', lifecycle);
    await lost.connections.forget(lost.id, 'closed');
    const reconciler = reconcilerOf(lifecycle.cloud);

    await reconciler.once();
    const atFirst = await open();
    await reconciler.once();

    expect(atFirst).toEqual([]);
    expect(await open()).toEqual([`local service_attachment ${lost.resource}`]);
    expect([...lifecycle.cloud.resources.keys()]).toContain(lost.resource);
    expect(connection.resource).not.toBe(lost.resource);
  });

  it('reports the resources of other accounts while an account refuses Landlord, and closes no incident then', async () => {
    const { cloud, deploymentId } = await LifecycleFixture.serving(bench, 1);
    const [theirs, ours] = ['111122223333/1', null];
    await bench.rows(
      `update cloud_resources set account = case when kind = 'network' then $2 end where deployment_id = $1`,
      [deploymentId, theirs],
    );
    const [resource] = [...cloud.resources.values()];
    const unknown = (name: string) => ({ ...resource!, name, tags: { ...resource!.tags, deployment_id: 999_999 } });
    const there = new Map([
      [theirs, [unknown('theirs')]],
      [ours, [unknown('ours')]],
    ]);
    let refuses = false;
    Object.assign(cloud, { hasOneInventory: false });
    cloud.inventory = async ({ account }) => {
      if (account === theirs && refuses) throw new CloudError({ code: 'denied', actions: [] }, 'no role');
      return { resources: there.get(account) ?? [], next: null };
    };
    const reconciler = reconcilerOf(cloud);
    await bench.rows('delete from incidents');
    for (let pass = 0; pass < 2; pass += 1) await reconciler.once();
    const kind = resource!.kind;
    expect(await open()).toEqual(expect.arrayContaining([`local ${kind} ours`, `local ${kind} theirs`]));

    refuses = true;
    there.set(ours, [unknown('ours'), unknown('new')]);
    for (let pass = 0; pass < 2; pass += 1) await reconciler.once();

    expect(await open()).toEqual(
      expect.arrayContaining([`local ${kind} ours`, `local ${kind} theirs`, `local ${kind} new`]),
    );
    refuses = false;
    there.set(theirs, []);
    await reconciler.once();
    expect(await open()).not.toContain(`local ${kind} theirs`);
  });
});
