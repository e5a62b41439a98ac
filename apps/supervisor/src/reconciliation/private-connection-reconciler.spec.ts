import { Logger } from '@nestjs/common';
import { Database } from '@libs/persistence';
import {
  CloudResourcesRepository,
  NodeDocumentsRepository,
  PRIVATE_CONNECTION_KINDS,
  PrivateConnectionsRepository,
  PrivateConsumersRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { FakeCloud, WorkflowBench, refTo } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../test/private-connection.fixture.js';
import { CloudResources } from '../lifecycle/cloud-resources.js';
import { PrivateConnectionReports } from '../lifecycle/private-connections/private-connection-reports.js';
import { PrivateConnectionResources } from '../lifecycle/private-connections/private-connection-resources.js';
import { CloudProviders } from '../platform/cloud-providers.js';
import { Installation } from '../platform/installation.js';
import { PrivateConnectionReconciler } from './private-connection-reconciler.js';

const AGO_SECONDS = 60;
const CONSUMER = {
  ...{ connection_id: 'vpce-1', owner: '123456789012', network: null, endpoint: 'vpce-1', status: 'pending' as const },
};

class Observer extends PrivateConnectionReconciler {
  once(): Promise<number> {
    return this.pass(new AbortController().signal);
  }
}

class CountingDatabase extends Database {
  asked: string[] = [];

  override query<Row>(...[prepared, values]: Parameters<Database['query']>): Promise<Row[]> {
    this.asked.push(prepared.name);
    return super.query<Row>(prepared, values);
  }

  override execute(...[prepared, values]: Parameters<Database['execute']>): Promise<number> {
    this.asked.push(prepared.name);
    return super.execute(prepared, values);
  }
}

describe('The reconciler of private connections', () => {
  let bench: WorkflowBench;
  let cells = 0;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** Creates a deployment in its own cell, and an observer of that cell. */
  const given = async () => {
    const cell = `cell-${(cells += 1)}`;
    const lifecycle = await LifecycleFixture.ordered(bench, 1);
    await bench.rows('update deployment_runtimes set cell = $2 where deployment_id = $1', [
      lifecycle.deploymentId,
      cell,
    ]);
    return { lifecycle, observer: observerOf(lifecycle.cloud, cell), cell };
  };
  const observerOf = (cloud: FakeCloud, cell: string, database = bench.database): Observer => {
    const providers = new CloudProviders(new Map([['aws', cloud] as const, ['gcp', cloud] as const]));
    const connectionResources = new PrivateConnectionResources(
      new CloudResources(new CloudResourcesRepository(database), providers),
      new RuntimesRepository(database),
      new Installation('test'),
    );
    const rows = new PrivateConnectionsRepository(database);
    const consumers = new PrivateConsumersRepository(database);
    const documents = new NodeDocumentsRepository(database, bench.secrets);
    const reports = new PrivateConnectionReports(database, rows, documents);
    const config = { SUPERVISOR_CELL: cell } as unknown as SupervisorConfig;
    return new Observer(rows, consumers, connectionResources, reports, config);
  };
  const unseen = async (lifecycle: LifecycleFixture, kind: (typeof PRIVATE_CONNECTION_KINDS)[number]) => {
    const fixture = await PrivateConnectionFixture.made(bench, kind, lifecycle);
    await fixture.unseenFor(AGO_SECONDS);
    return fixture;
  };

  it.each(['provisioning', 'active', 'rejected', 'expired', 'failed'] as const)(
    'records that a peering is %s',
    async (status) => {
      const { lifecycle, observer } = await given();
      const peering = await unseen(lifecycle, 'vpc_peering');

      lifecycle.cloud.becomes<'vpc_peering'>(peering.resource, { reason: 'they said so', attributes: { status } });
      await observer.once();

      expect(await peering.record()).toMatchObject({ status, reason: 'they said so', attributes: { status } });
    },
  );

  it('records that the other half of a peering was created or removed', async () => {
    const { lifecycle, observer } = await given();
    const peering = await unseen(lifecycle, 'network_peering');

    lifecycle.cloud.becomes<'network_peering'>(peering.resource, {
      attributes: { status: 'active', details: 'Connected.' },
    });
    await observer.once();
    const accepted = await peering.record();
    lifecycle.cloud.becomes<'network_peering'>(peering.resource, {
      attributes: { status: 'inactive', details: 'Gone.' },
    });
    await peering.unseenFor(AGO_SECONDS);
    await observer.once();

    expect(accepted).toMatchObject({ status: 'active', attributes: { details: 'Connected.' } });
    expect(await peering.record()).toMatchObject({ status: 'inactive', attributes: { details: 'Gone.' } });
  });

  it.each(['endpoint_service', 'service_attachment'] as const)(
    'lists the consumers of a %s, and removes disconnected ones',
    async (kind) => {
      const { lifecycle, observer } = await given();
      const service = await unseen(lifecycle, kind);
      const other = { ...CONSUMER, connection_id: 'vpce-2', endpoint: 'vpce-2' };
      const seenConsumers = async (consumers: (typeof CONSUMER | { status: 'accepted' })[]): Promise<unknown[]> => {
        lifecycle.cloud.becomes<typeof kind>(service.resource, { attributes: { consumers: consumers as [] } });
        await service.unseenFor(AGO_SECONDS);
        await observer.once();
        const listed = await service.consumers.list(service.id);
        return listed.map(({ connectionId, status }) => [connectionId, status]);
      };

      expect(await seenConsumers([CONSUMER, CONSUMER, other])).toEqual([
        ['vpce-2', 'pending'],
        ['vpce-1', 'pending'],
      ]);
      expect(await seenConsumers([{ ...CONSUMER, status: 'accepted' }])).toEqual([['vpce-1', 'accepted']]);
      expect(await seenConsumers([])).toEqual([]);
      expect((await service.record())?.attributes).not.toHaveProperty('consumers');
    },
  );

  it.each(PRIVATE_CONNECTION_KINDS)('deletes the row of a %s that was deleted at the provider', async (kind) => {
    const { lifecycle, observer } = await given();
    const fixture = await unseen(lifecycle, kind);

    lifecycle.cloud.resources.delete(fixture.resource);
    await observer.once();

    expect(await fixture.record()).toBeNull();
    expect(await fixture.lastStatus()).toBe(kind === 'service_attachment' ? 'closed' : 'deleted');
  });

  it('does not delete the row of a connection that its creation has not created yet', async () => {
    const { lifecycle, observer } = await given();
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering', lifecycle);
    const creation = await fixture.startCreation();
    await fixture.unseenFor(AGO_SECONDS);

    await observer.once();
    const meanwhile = await fixture.record();
    await bench.drive(creation, () => bench.runner([lifecycle.workflows.connection]));

    expect(meanwhile).toMatchObject({ status: 'initiating_request' });
    expect((await fixture.record())?.status).toBe('pending_acceptance');
  });

  it('does not delete the row of a connection that its creation creates again', async () => {
    const { lifecycle, observer } = await given();
    const fixture = await unseen(lifecycle, 'vpc_peering');
    await fixture.startCreation();

    lifecycle.cloud.resources.delete(fixture.resource);
    await observer.once();

    expect(await fixture.record()).not.toBeNull();
  });

  it('keeps the row and the reason of a failed creation until the provider reports a settled state', async () => {
    const { lifecycle, observer } = await given();
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering', lifecycle);
    const { cloud, deploymentId } = lifecycle;
    const look = async () => {
      await fixture.unseenFor(AGO_SECONDS);
      await observer.once();
      return fixture.record();
    };
    await fixture.connections.see(fixture.id, { status: 'failed', reason: 'given up', attributes: null });

    const withoutAnything = await look();
    await cloud.ensure('vpc_peering', refTo(fixture.resource), {} as never, {
      installation: 'test',
      deployment_id: deploymentId,
    });
    const landedLate = await look();
    const settled = await look();

    expect(withoutAnything).toMatchObject({ status: 'failed', reason: 'given up' });
    expect(landedLate).toMatchObject({ status: 'failed', reason: 'given up' });
    expect(settled).toMatchObject({ status: 'pending_acceptance', reason: null });
  });

  it('changes nothing while the provider is unavailable', async () => {
    const { lifecycle, observer } = await given();
    const fixture = await unseen(lifecycle, 'endpoint_service');
    const before = await fixture.record();

    lifecycle.cloud.refuses = () => ({ code: 'unavailable' });
    lifecycle.cloud.resources.clear();
    await observer.once();

    expect(await fixture.record()).toEqual(before);
  });

  it('continues when one connection cannot be read', async () => {
    const { lifecycle, observer } = await given();
    const [broken, whole] = [await unseen(lifecycle, 'vpc_peering'), await unseen(lifecycle, 'vpc_peering')];
    await broken.unseenFor(2 * AGO_SECONDS);

    lifecycle.cloud.refuses = (name) => (name === broken.resource ? { code: 'unavailable' } : null);
    for (const { resource } of [broken, whole])
      lifecycle.cloud.becomes<'vpc_peering'>(resource, { attributes: { status: 'active' } });
    await observer.once();

    expect((await broken.record())?.status).toBe('pending_acceptance');
    expect((await whole.record())?.status).toBe('active');
  });

  it('does not change a connection that is being deleted', async () => {
    const { lifecycle, observer } = await given();
    const fixture = await unseen(lifecycle, 'vpc_peering');
    await fixture.connections.markDeleting(fixture.id, 'deleting');
    await fixture.unseenFor(AGO_SECONDS);

    lifecycle.cloud.becomes<'vpc_peering'>(fixture.resource, { attributes: { status: 'active' } });
    await observer.once();

    expect((await fixture.record())?.status).toBe('deleting');
  });

  it('reads each connection once when several Supervisors look at the same time', async () => {
    const { lifecycle, cell } = await given();
    const many = 60;
    const fixtures = [await unseen(lifecycle, 'vpc_peering')];
    while (fixtures.length < many) {
      const one = await PrivateConnectionFixture.asked(bench, 'vpc_peering', lifecycle);
      const tags = { installation: 'test', deployment_id: lifecycle.deploymentId };
      await lifecycle.cloud.ensure('vpc_peering', refTo(one.resource), {} as never, tags);
      await one.unseenFor(AGO_SECONDS);
      fixtures.push(one);
    }
    for (const { resource } of fixtures)
      lifecycle.cloud.becomes<'vpc_peering'>(resource, { state: 'active', attributes: { status: 'active' } });
    lifecycle.cloud.looks = 0;
    const databases = [1, 2, 3].map(() => new CountingDatabase(bench.database.dataSource));

    await Promise.all(databases.map((database) => observerOf(lifecycle.cloud, cell, database).once()));

    expect(lifecycle.cloud.looks).toBe(many);
    const writes = databases.flatMap(({ asked }) => asked.filter((name) => name === 'private_connection.see'));
    expect(writes).toHaveLength(many);
    const listed = await new PrivateConnectionsRepository(bench.database).list(lifecycle.deploymentId, 'vpc_peering');
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['active']));
  });

  it('skips connections that another Supervisor is taking, without waiting', async () => {
    const { lifecycle, cell } = await given();
    const [first, second] = [await unseen(lifecycle, 'vpc_peering'), await unseen(lifecycle, 'vpc_peering')];
    await first.unseenFor(2 * AGO_SECONDS);
    const other = new PrivateConnectionsRepository(new Database(bench.database.dataSource));
    const idsOf = (connections: readonly { id: number }[]): number[] => connections.map(({ id }) => id);

    await bench.database.transaction(async () => {
      expect(idsOf(await first.connections.takeDue(cell, 4, 1))).toEqual([first.id]);
      expect(idsOf(await other.takeDue(cell, 4, 10))).toEqual([second.id]);
    });
  });

  it('runs the same database statements for twenty unchanged services as for one', async () => {
    const statementsFor = async (services: number): Promise<string[]> => {
      const { lifecycle, cell } = await given();
      for (let one = 0; one < services; one += 1) await unseen(lifecycle, 'endpoint_service');
      const database = new CountingDatabase(bench.database.dataSource);
      await observerOf(lifecycle.cloud, cell, database).once();
      expect(lifecycle.cloud.looks).toBeGreaterThanOrEqual(services);
      return database.asked;
    };

    expect(await statementsFor(20)).toEqual(await statementsFor(1));
  });
});
