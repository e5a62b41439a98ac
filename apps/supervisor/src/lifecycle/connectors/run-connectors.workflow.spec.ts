import { OPERATIONS, type ConnectorReport, type ConnectorsMemo } from '@libs/domain';
import {
  configLocation,
  ConnectorInitialRowsRepository,
  ConnectorInstancesRepository,
  NodeDocumentsRepository,
  NodesRepository,
  type ConnectorInstanceRow,
} from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { RUN_CONNECTORS } from './run-connectors.workflow.js';

const STEPS = Object.keys(RUN_CONNECTORS);
const NODES = 3;
const KIND = 'connector:sink:stdout';
const BORN = { enabled: false, streams: [], plugin_config: {}, transforms: {} };

describe('run_connectors', () => {
  let bench: WorkflowBench;
  let instances: ConnectorInstancesRepository;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    instances = new ConnectorInstancesRepository(bench.database);
  });
  afterAll(() => bench.close());

  const nodesOf = ({ deploymentId }: LifecycleFixture) => new NodesRepository(bench.database).list(deploymentId);
  const documentsOf = async (fixture: LifecycleFixture) => {
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const rows = await Promise.all((await nodesOf(fixture)).map(({ id }) => documents.find(id)));
    return rows.map((document) => document?.spec.connectors);
  };
  const statuses = async ({ deploymentId }: LifecycleFixture): Promise<[string, string | null][]> =>
    (await instances.list(deploymentId)).map(({ status, status_reason }) => [status, status_reason]);
  const activities = ({ deploymentId }: LifecycleFixture) =>
    bench.rows<{ status: string; error: string | null }>(
      'select status, error from activities where deployment_id = $1 order by id',
      [deploymentId],
    );

  const activated = (fixture: LifecycleFixture, key: string): Promise<ConnectorInstanceRow> =>
    bench.database.transaction(() =>
      new ConnectorInitialRowsRepository(bench.database, bench.secrets).insert(fixture.deploymentId, {
        ...{ type: 'sink', plugin: 'stdout', pluginVersion: '1.0.0', key, name: key, authorId: null, values: BORN },
      }),
    );

  /** Creates another version and makes it the active one. */
  const configured = async ({ deploymentId }: LifecycleFixture, key: string, version: number, enabled: boolean) => {
    const sealed = bench.secrets.seal(
      configLocation(deploymentId, KIND, key, version),
      JSON.stringify({ ...BORN, enabled }),
    );
    await bench.rows(`update configs set is_primary = false where deployment_id = $1 and kind = $2 and name = $3`, [
      ...[deploymentId, KIND, key],
    ]);
    const [row] = await bench.rows<{ id: string }>(
      `insert into configs (deployment_id, kind, name, version, is_primary, config_values, runtime_version)
       values ($1, $2, $3, $4, true, $5, '1.0.0') returning id`,
      [deploymentId, KIND, key, version, sealed],
    );
    return Number(row?.id);
  };

  const ask = async (fixture: LifecycleFixture, memo: Partial<ConnectorsMemo>): Promise<number> => {
    const nodes = (await nodesOf(fixture)).map(({ id }) => id);
    const operation = await fixture.start('run_connectors', {
      ...{ action: 'reconfigure', config_id: null, instance_id: null, nodes, ...memo },
    });
    await bench.rows(
      `insert into activities (operation_id, tenant_id, division_id, environment_id, deployment_id, node_id, runtime, action)
       select $1, 1, 1, 1, $2, id, 'connectors', $3 from unnest($4::bigint[]) id`,
      [operation, fixture.deploymentId, memo.action ?? 'reconfigure', nodes],
    );
    return operation;
  };

  /**
   * Plays the agents: they apply their documents and report each connector in its desired state, or with the given
   * members.
   */
  const agentsReport = async (fixture: LifecycleFixture, reported: Partial<ConnectorReport> = {}): Promise<void> => {
    const nodes = await nodesOf(fixture);
    const expected = await documentsOf(fixture);
    const reports = nodes.flatMap(({ id }, index) =>
      (expected[index]?.instances ?? []).map(({ instance_id, config }) => ({
        ...{ node_id: id, instance_id, config_id: config.id, error: null },
        status:
          config.values.enabled && expected[index]?.want === 'running' ? ('running' as const) : ('stopped' as const),
        ...reported,
      })),
    );
    await instances.record(reports);
    await fixture.agentsReport();
  };

  const drive = (fixture: LifecycleFixture, operation: number, around?: Around, agents = () => agentsReport(fixture)) =>
    bench.drive(operation, () => bench.runner([fixture.workflows.connectors], around), agents);

  const begin = async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const { id } = await activated(fixture, 'log');
    const operation = await ask(fixture, { action: 'activate', instance_id: id });
    return {
      fixture,
      drive: (around: Around) => drive(fixture, operation, around),
      expectDone: async () => {
        expect(await statuses(fixture)).toEqual([['active', null]]);
        const [first, ...others] = await documentsOf(fixture);
        expect(first).toMatchObject({ want: 'running', restart: 0, instances: [{ instance_id: id, key: 'log' }] });
        expect(others).toEqual(Array(NODES - 1).fill({ want: 'running', restart: 0, instances: [] }));
        expect((await activities(fixture)).map(({ status }) => status)).toEqual(Array(NODES).fill('completed'));
      },
      /** The published documents stay: the instance has failed until a node reports another status. */
      expectUndone: async () => {
        expect((await activities(fixture)).map(({ status }) => status)).not.toContain('processing');
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
        expect((await statuses(fixture)).map(([status]) => status)).not.toContain('pending');
        expect(await fixture.status()).toBe('initialized');
      },
    };
  };

  stepSuites('run_connectors', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.run_connectors.firstStep, OPERATIONS.run_connectors.steps]);
  });

  it('makes an enabled instance active, and a disabled one inactive', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { id } = await activated(fixture, 'log');
    await drive(fixture, await ask(fixture, { action: 'activate', instance_id: id }));
    expect(await statuses(fixture)).toEqual([['active', null]]);

    await configured(fixture, 'log', 2, true);
    await drive(fixture, await ask(fixture, {}));
    expect(await statuses(fixture)).toEqual([['active', null]]);
    expect((await instances.list(fixture.deploymentId))[0]?.reported_status).toBe('running');

    const third = await configured(fixture, 'log', 3, false);
    await drive(fixture, await ask(fixture, { config_id: third, instance_id: id }));
    expect(await statuses(fixture)).toEqual([['inactive', null]]);
  });

  it('applies a configuration that joined its activation, before it ends', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const { id } = await activated(fixture, 'log');
    const operation = await ask(fixture, { action: 'activate', instance_id: id });
    const operations = new Operations(bench.database, { wakeUp: () => undefined } as never);
    const join = () =>
      operations.join(fixture.deploymentId, 'run_connectors', { actions: ['activate'], instanceId: id });
    let version = 0;
    const configureMeanwhile = async (): Promise<void> => {
      if (version === 0) version = await configured(fixture, 'log', 2, true);
      await join();
      await agentsReport(fixture);
    };

    await drive(fixture, operation, undefined, configureMeanwhile);

    expect(version).toBeGreaterThan(0);
    const [instance] = await instances.list(fixture.deploymentId);
    expect(instance).toMatchObject({ config_id: version, reported_config_id: version, reported_status: 'running' });
    expect(await join()).toBeNull();
  });

  it('leaves the configuration of a join to its nodes when the activation fails', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const { id } = await activated(fixture, 'log');
    const operation = await ask(fixture, { action: 'activate', instance_id: id });
    const operations = new Operations(bench.database, { wakeUp: () => undefined } as never);
    const version = await configured(fixture, 'log', 2, true);
    await operations.join(fixture.deploymentId, 'run_connectors', { actions: ['activate'], instanceId: id });

    await drive(fixture, operation, undefined, () => agentsReport(fixture, { status: 'failed', error: 'no' }));

    const [document] = await documentsOf(fixture);
    expect(document).toMatchObject({ instances: [{ config: { id: version } }] });
  });

  it('stops and restarts running connectors', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    await activated(fixture, 'log');
    await configured(fixture, 'log', 2, true);
    await drive(fixture, await ask(fixture, {}));

    await drive(fixture, await ask(fixture, { action: 'stop' }));
    expect(await statuses(fixture)).toEqual([['inactive', null]]);
    expect((await documentsOf(fixture)).map((connectors) => connectors?.want)).toEqual(['stopped', 'stopped']);

    await drive(fixture, await ask(fixture, { action: 'restart' }));
    expect(await statuses(fixture)).toEqual([['active', null]]);
    expect((await documentsOf(fixture))[0]).toMatchObject({ want: 'running', restart: 1 });
  });

  it('fails with the error of the failed connector, and does not change the others', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const good = await activated(fixture, 'good');
    await drive(fixture, await ask(fixture, { action: 'activate', instance_id: good.id }));
    const bad = await activated(fixture, 'bad');
    const config = await configured(fixture, 'bad', 2, true);

    const operation = await ask(fixture, { config_id: config, instance_id: bad.id });
    const status = await drive(fixture, operation, undefined, async () => {
      await agentsReport(fixture);
      const [node] = await nodesOf(fixture);
      const reported = { instance_id: bad.id, status: 'failed' as const, config_id: config, error: 'no such host' };
      await instances.record([{ node_id: node?.id ?? 0, ...reported }]);
    });

    expect(status).toBe('failed');
    expect(await statuses(fixture)).toEqual([
      ['active', null],
      ['failed', 'no such host'],
    ]);
    expect((await activities(fixture)).slice(2)).toEqual([
      { status: 'rejected', error: 'bad: no such host' },
      { status: 'completed', error: null },
    ]);
  });

  it('fails when a node does not apply its document, so that no instance stays pending', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const { id } = await activated(fixture, 'log');
    const operation = await ask(fixture, { action: 'activate', instance_id: id });

    const status = await drive(fixture, operation, undefined, async () => {
      await bench.rows(
        `update operations set step_entered_at = now() - interval '1 hour' where id = $1 and step = 'waiting_for_nodes'`,
        [operation],
      );
    });

    expect(status).toBe('failed');
    const reason = expect.stringMatching(/^gave up after \d+s: /);
    expect(await statuses(fixture)).toEqual([['failed', reason]]);
    // The node comes back and applies its document.
    await agentsReport(fixture);
    expect(await statuses(fixture)).toEqual([['active', null]]);
  });

  it('does not wait for connectors that need a broker that a user stopped', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    await activated(fixture, 'log');
    await configured(fixture, 'log', 2, true);
    await bench.rows('update nodes set stopped_at = now() where deployment_id = $1', [fixture.deploymentId]);

    const operation = await ask(fixture, {});

    expect(await drive(fixture, operation, undefined, () => agentsReport(fixture, { status: 'starting' }))).toBe(
      'succeeded',
    );
  });

  it('does not wait for an instance that is deleted while the operation runs', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    const { id } = await activated(fixture, 'log');
    const operation = await ask(fixture, { action: 'activate', instance_id: id });

    const status = await drive(fixture, operation, undefined, async () => {
      await bench.database.transaction(async () => {
        await instances.delete(fixture.deploymentId, id);
        await new NodeDocumentsRepository(bench.database, bench.secrets).publishAll(fixture.deploymentId, '0');
      });
      await fixture.agentsReport();
    });

    expect(status).toBe('succeeded');
    expect(await documentsOf(fixture)).toEqual([undefined]);
  });

  it('excludes only its own type', async () => {
    const fixture = await LifecycleFixture.serving(bench, 1);
    await activated(fixture, 'log');
    const first = await ask(fixture, {});

    await expect(ask(fixture, {})).rejects.toMatchObject({ code: 'state_conflict', members: { operation_id: first } });
    await expect(fixture.start('rotate_credentials')).resolves.toBeGreaterThan(0);
  });

  describe('the report of a node about connectors', () => {
    let fixture: LifecycleFixture;
    let instance: ConnectorInstanceRow;
    let node: number;
    beforeEach(async () => {
      fixture = await LifecycleFixture.serving(bench, 2);
      instance = await activated(fixture, 'log');
      await configured(fixture, 'log', 2, true);
      await drive(fixture, await ask(fixture, {}));
      [instance] = (await instances.list(fixture.deploymentId)) as [ConnectorInstanceRow];
      node = (await nodesOf(fixture))[0]?.id ?? 0;
    });
    const say = (reported: Partial<ConnectorReport>, from = node) =>
      instances.record([
        {
          node_id: from,
          instance_id: instance.id,
          config_id: instance.config_id,
          status: 'running',
          error: null,
          ...reported,
        },
      ]);
    const versionOf = async () =>
      (await bench.rows<{ xmin: string }>('select xmin from connector_instances where id = $1', [instance.id]))[0]
        ?.xmin;

    it('changes their status also after the operation: a dead connector is failed until it runs again', async () => {
      await say({ status: 'failed', error: 'the service hung up' });
      expect(await statuses(fixture)).toEqual([['failed', 'the service hung up']]);
      await say({ status: 'starting' });
      expect(await statuses(fixture)).toEqual([['failed', 'the service hung up']]);
      await say({ status: 'running' });
      expect(await statuses(fixture)).toEqual([['active', null]]);
    });

    it('writes nothing without a change', async () => {
      const before = await versionOf();
      await say({});
      expect(await versionOf()).toBe(before);
    });

    it('counts only from the node that runs them, of the same deployment, with the current configuration', async () => {
      const otherFixture = await LifecycleFixture.serving(bench, 1);
      const [other, theirs] = [(await nodesOf(fixture))[1]?.id, (await nodesOf(otherFixture))[0]?.id];

      await say({ status: 'failed', error: 'x' }, other);
      await say({ status: 'failed', error: 'x' }, theirs);
      await say({ status: 'failed', error: 'x', config_id: 1 });

      expect(await statuses(fixture)).toEqual([['active', null]]);
    });
  });
});
