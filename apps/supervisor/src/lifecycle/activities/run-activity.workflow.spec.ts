import { OPERATIONS, type ActivityMemo } from '@libs/domain';
import { NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { RUN_ACTIVITY } from './run-activity.workflow.js';

const STEPS = Object.keys(RUN_ACTIVITY).filter((step) => step !== 'restoring_node');
const NODES = 3;

describe('run_activity', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const nodesOf = ({ deploymentId }: LifecycleFixture) => new NodesRepository(bench.database).list(deploymentId);
  const configsOf = async (fixture: LifecycleFixture): Promise<(number | null)[]> =>
    (await nodesOf(fixture)).map(({ config_id: configId }) => configId);
  const inDocuments = async (fixture: LifecycleFixture): Promise<unknown[]> => {
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const rows = await Promise.all((await nodesOf(fixture)).map(({ id }) => documents.find(id)));
    return rows.map((document) => document?.spec.broker.config.id);
  };
  const activities = ({ deploymentId }: LifecycleFixture) =>
    bench.rows<{ status: string; error: string | null }>(
      'select status, error from activities where deployment_id = $1 order by id',
      [deploymentId],
    );

  /** Starts an activity on all nodes, like a request to the API. */
  const ask = async (fixture: LifecycleFixture, action: ActivityMemo['action'], config_id: number | null = null) => {
    const nodes = (await nodesOf(fixture)).map(({ id }) => id);
    const memo: ActivityMemo = { runtime: 'broker', action, config_id, nodes };
    const operation = await fixture.start('run_activity', { ...memo });
    await bench.rows(
      `insert into activities (operation_id, tenant_id, division_id, environment_id, deployment_id, node_id, runtime, action)
       select $1, 1, 1, 1, $2, id, 'broker', $3 from unnest($4::bigint[]) id`,
      [operation, fixture.deploymentId, action, nodes],
    );
    return operation;
  };

  const begin = async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const before = (await configsOf(fixture))[0] ?? 0;
    const next = await fixture.anotherConfig();
    const operation = await ask(fixture, 'reconfigure', next);
    return {
      fixture,
      before,
      next,
      drive: (around: Around, agents = () => fixture.agentsReport()) =>
        bench.drive(operation, () => bench.runner([fixture.workflows.activity], around), agents),
      expectDone: async () => {
        expect(await configsOf(fixture)).toEqual([next, next, next]);
        expect(await inDocuments(fixture)).toEqual([next, next, next]);
        expect(await activities(fixture)).toEqual(Array(NODES).fill({ status: 'completed', error: null }));
        expect(await fixture.status()).toBe('initialized');
      },
      /**
       * The changing node is back on its old configuration. Nodes before it keep the new one; nodes after it are
       * unchanged.
       */
      expectUndone: async () => {
        const configs = await configsOf(fixture);
        const turned = configs.filter((id) => id === next).length;
        expect(configs).toEqual([...Array(turned).fill(next), ...Array(NODES - turned).fill(before)]);
        expect(await inDocuments(fixture)).toEqual(configs);
        expect((await activities(fixture)).map(({ status }) => status)).toEqual([
          ...Array(turned).fill('completed'),
          ...Array(NODES - turned).fill('rejected'),
        ]);
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('run_activity', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.run_activity.firstStep, OPERATIONS.run_activity.steps]);
  });

  it('changes the next node only when all nodes that served before serve again', async () => {
    const { fixture, drive } = await begin();
    const behind: number[] = [];

    await drive(async (step, run) => {
      const [row] = await bench.rows<{ count: number }>(
        `select count(*)::int from nodes n join node_documents d on d.node_id = n.id
          where n.deployment_id = $1 and n.observed_generation < d.generation`,
        [fixture.deploymentId],
      );
      if (step === 'changing_node') behind.push(row?.count ?? -1);
      return run();
    });

    expect(behind).toEqual([0, 0, 0, 0]);
  });

  it('does not change the other nodes when the broker of the first node dies, and stores its error', async () => {
    const { fixture, before, drive, expectUndone } = await begin();
    const [first] = await nodesOf(fixture);

    const status = await drive(
      (_step, run) => run(),
      async () => {
        // Its agent restarts a broker that dies because of the new configuration, and applies the old one.
        const [{ config_id: config }] = (await bench.rows('select config_id from nodes where id = $1', [
          first?.id,
        ])) as [{ config_id: number }];
        if (Number(config) === before) return fixture.agentsReport();
        const dying = { runtime: 'broker', status: 'starting', last_error: 'max_payload is too large', restarts: 2 };
        await bench.rows('update nodes set status = $2, runtimes = $3 where id = $1', [
          first?.id,
          'starting',
          JSON.stringify([dying]),
        ]);
      },
    );

    expect(status).toBe('failed');
    await expectUndone();
    expect(await configsOf(fixture)).toEqual([before, before, before]);
    expect(await activities(fixture)).toEqual([
      { status: 'rejected', error: 'max_payload is too large' },
      { status: 'rejected', error: 'not started: the activity failed on another node' },
      { status: 'rejected', error: 'not started: the activity failed on another node' },
    ]);
  });

  it('restarts each node once, also when the worker dies', async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const operation = await ask(fixture, 'restart');
    let deaths = 0;

    await bench.drive(
      operation,
      () =>
        bench.runner([fixture.workflows.activity], async (step, run, die) => {
          const result = await run();
          if (step === 'changing_node' && deaths++ < 2) die();
          return result;
        }),
      () => fixture.agentsReport(),
    );

    expect(
      await bench.rows('select distinct restarts from nodes where deployment_id = $1', [fixture.deploymentId]),
    ).toEqual([{ restarts: 1 }]);
  });

  it('keeps the status of a degraded deployment after a restart', async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    await bench.rows(`update deployment_runtimes set status = 'degraded' where deployment_id = $1`, [
      fixture.deploymentId,
    ]);

    await bench.drive(
      await ask(fixture, 'restart'),
      () => bench.runner([fixture.workflows.activity]),
      () => fixture.agentsReport(),
    );

    expect(await fixture.status()).toBe('degraded');
  });
});
