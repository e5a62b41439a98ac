import { OPERATIONS } from '@libs/domain';
import { stepSuites, WorkflowBench, type Around, refTo } from '@libs/testing';
import { DELETE_DEPLOYMENT } from './delete-deployment.workflow.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { PrivateConnectionFixture } from '../../../test/private-connection.fixture.js';

const STEPS = Object.keys(DELETE_DEPLOYMENT);
/** Tables without a row of a deleted deployment. */
const PURGED = [
  'nodes',
  'deployment_credentials',
  'access_rules',
  'login_refusals',
  'configs',
  'deployment_certificates',
];

describe('delete_deployment', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const provisioned = async (): Promise<LifecycleFixture> => {
    const fixture = await LifecycleFixture.ordered(bench, 2, { isEncrypted: true });
    const operation = await fixture.start('provision_deployment');
    await bench.drive(
      operation,
      () => bench.runner([fixture.workflows.provision]),
      () => fixture.agentsReport(),
    );
    return fixture;
  };

  const begin = async () => {
    const fixture = await provisioned();
    await PrivateConnectionFixture.made(bench, 'vpc_peering', fixture);
    await bench.rows(`insert into login_refusals (deployment_id, address, last_at) values ($1, '192.0.2.1', now())`, [
      fixture.deploymentId,
    ]);
    const operation = await fixture.start('delete_deployment');
    return {
      drive: (around: Around) => bench.drive(operation, () => bench.runner([fixture.workflows.deletion], around)),
      expectDone: () => expectGone(fixture),
      expectUndone: async () => undefined,
    };
  };

  stepSuites('delete_deployment', begin, STEPS, []);

  it('starts at the step in the catalogue of operations', () => {
    expect(STEPS[0]).toBe(OPERATIONS.delete_deployment.firstStep);
    expect(STEPS).toHaveLength(OPERATIONS.delete_deployment.steps);
  });

  it('deletes private connections before the network that they use', async () => {
    const fixture = await provisioned();
    const connections = [
      await PrivateConnectionFixture.made(bench, 'vpc_peering', fixture),
      await PrivateConnectionFixture.made(bench, 'endpoint_service', fixture),
    ];
    const { cloud } = fixture;
    const destroy = cloud.destroy.bind(cloud);
    const beside = new Set<string>();
    cloud.destroy = (kind, name) => {
      const isThere = connections.some(({ resource }) => cloud.resources.has(resource));
      if (isThere) beside.add(kind);
      return destroy(kind, name);
    };

    const operation = await fixture.start('delete_deployment');
    await bench.drive(operation, () => bench.runner([fixture.workflows.deletion]));

    expect(beside).toEqual(new Set(['vpc_peering', 'endpoint_service']));
    expect(cloud.resources.size).toBe(0);
  });

  it('waits until the superseded operation cannot write, and checks again after another lease', async () => {
    const fixture = await provisioned();
    const operation = await fixture.start('delete_deployment', { busy_seconds: 9 });
    const runner = bench.runner([fixture.workflows.deletion]);

    await runner.run(operation);
    const waiting = await stepOf(bench, operation);
    await past(bench, operation, 10);
    for (let run = 0; (await stepOf(bench, operation)) !== 'confirming_gone' && run < 10; run += 1) {
      await runner.run(operation);
      await past(bench, operation, 0);
    }
    await runner.run(operation);
    const looking = await stepOf(bench, operation);
    // The call of the superseded worker, which committed the row of the resource before the call.
    const late = `ld-test-${fixture.deploymentId}-network`;
    const tags = { installation: 'test', deployment_id: fixture.deploymentId };
    await fixture.cloud.ensure('network', refTo(late), { region: 'r', cidr: '10.0.0.0/24', zones: ['a'] }, tags);
    await past(bench, operation, 16);
    await runner.run(operation);
    await bench.drive(
      operation,
      () => runner,
      () => past(bench, operation, 16),
    );

    expect(waiting).toBe('awaiting_quiet');
    expect(looking).toBe('confirming_gone');
    expect(fixture.cloud.creations.filter((name) => name === late)).toHaveLength(2);
    expect(fixture.cloud.resources.has(late)).toBe(false);
  });

  it('supersedes a running creation, whose next write is refused', async () => {
    const fixture = await LifecycleFixture.ordered(bench, 1);
    const creation = await fixture.start('provision_deployment');
    let deletion = 0;
    const runner = bench.runner([fixture.workflows.provision], async (step, work) => {
      const result = await work();
      if (step !== 'deploying_nodes' || deletion > 0) return result;
      deletion = await bench.database.transaction(async () => {
        const busy_seconds = await bench.operations.supersede(fixture.deploymentId, 'deleted');
        expect(busy_seconds).toBeGreaterThan(0);
        const request = {
          type: 'delete_deployment' as const,
          cell: 'local',
          tenantId: 1,
          divisionId: null,
          environmentId: null,
        };
        return bench.operations.start({
          ...request,
          deploymentId: fixture.deploymentId,
          authorId: null,
          apiKeyId: null,
          traceId: '1',
          memo: {},
        });
      });
      return result;
    });

    for (let run = 0; run < 10; run += 1) {
      await past(bench, creation, 0);
      await runner.run(creation);
    }
    await bench.drive(deletion, () => bench.runner([fixture.workflows.deletion]));

    const [row] = await bench.rows<{ status: string; step: string }>(
      'select status, step from operations where id = $1',
      [creation],
    );
    expect(row).toEqual({ status: 'cancelled', step: 'deploying_nodes' });
    expect(fixture.cloud.resources.size).toBe(0);
  });
});

async function expectGone(fixture: LifecycleFixture): Promise<void> {
  const { bench, deploymentId } = fixture;
  expect(fixture.cloud.resources.size).toBe(0);
  const [runtime] = await bench.rows<{ deleted_at: Date | null }>(
    'select deleted_at, peer_secret, data_key, restore_source from deployment_runtimes where deployment_id = $1',
    [deploymentId],
  );
  expect(runtime?.deleted_at).not.toBeNull();
  expect(runtime).toMatchObject({ peer_secret: '', data_key: null, restore_source: null });
  for (const table of PURGED)
    expect(await bench.rows(`select 1 from ${table} where deployment_id = $1`, [deploymentId])).toEqual([]);
  expect(
    await bench.rows('select 1 from private_connections where deployment_id = $1 and deleted_at is null', [
      deploymentId,
    ]),
  ).toEqual([]);
  expect((await fixture.recorded()).events).toEqual(['deployment_initialized', 'deployment_deleted']);
  expect(await bench.rows('select 1 from metering_intervals where deployment_id = $1', [deploymentId])).toHaveLength(2);
}

async function stepOf(bench: WorkflowBench, operation: number): Promise<string> {
  const [row] = await bench.rows<{ step: string }>('select step from operations where id = $1', [operation]);
  return row?.step ?? '';
}

/** Moves the clock of one operation: its step started `seconds` earlier, and the operation is due. */
async function past(bench: WorkflowBench, operation: number, seconds: number): Promise<void> {
  await bench.rows(
    `update operations set step_entered_at = step_entered_at - make_interval(secs => $2), wake_at = now() where id = $1`,
    [operation, seconds],
  );
}
