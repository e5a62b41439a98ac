import { Readable } from 'node:stream';
import { OPERATIONS } from '@libs/domain';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { MovingFixture } from '../../../test/moving.fixture.js';
import { moveObjects } from '../../platform/stored-objects.js';
import { MOVE_NODE } from './move-node.workflow.js';

const UNDO = ['discarding_archive', 'starting_old_node'];
const STEPS = Object.keys(MOVE_NODE).filter((step) => !UNDO.includes(step));
const UNDOABLE = STEPS.slice(0, STEPS.indexOf('placing_node'));
const SERVES = { status: 'initialized', reason: null, held: 0, orders: 0 };

describe('move_node', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const drive = (moving: MovingFixture, around?: Around): Promise<string> => {
    const looking: Around = async (step, run, die) => {
      await moving.look();
      return around ? around(step, run, die) : run();
    };
    const runner = () => bench.runner([moving.lifecycle.workflows.move], looking);
    return bench.drive(moving.operation, runner, () => moving.world());
  };
  const failureOf = async ({ operation }: MovingFixture) =>
    (await bench.rows<{ reason: string }>('select reason from operations where id = $1', [operation]))[0]?.reason;

  const expectMoved = async (moving: MovingFixture): Promise<void> => {
    expect(await moving.state()).toEqual(SERVES);
    expect(await moving.placed()).toEqual([
      { machine: 'old', intent: 'absent', incarnation: 1 },
      { machine: 'new', intent: 'present', incarnation: 2 },
    ]);
    expect([moving.orders, await moving.archives(), moving.hasServedEmpty]).toEqual([
      ['archive_data', 'restore_data', 'settle_data'],
      [],
      false,
    ]);
    const { audit, events } = await moving.lifecycle.recorded();
    expect([audit.at(-1), events.slice(-2)]).toEqual(['node_moved', ['deployment_degraded', 'deployment_recovered']]);
  };
  const expectUnmoved = async (moving: MovingFixture): Promise<void> => {
    expect(await moving.state()).toEqual(SERVES);
    expect(await moving.placed()).toEqual([{ machine: 'old', intent: 'present', incarnation: 1 }]);
    expect([await moving.archives(), moving.hasServedEmpty]).toEqual([[], false]);
    const [row] = await bench.rows<object>(
      `select failed_moves, move_error is not null as is_explained, move_due_at > now() + interval '9 minutes' as waits
         from machine_nodes where node_id = $1`,
      [moving.node],
    );
    expect(row).toEqual({ failed_moves: 1, is_explained: true, waits: true });
    expect((await moving.lifecycle.recorded()).events.at(-1)).toBe('deployment_operation_failed');
  };

  const begin = async () => {
    const moving = await MovingFixture.begin(bench, 2);
    return {
      drive: (around: Around) => drive(moving, around),
      expectDone: () => expectMoved(moving),
      expectUndone: () => expectUnmoved(moving),
    };
  };
  stepSuites('move_node', begin, STEPS, UNDOABLE);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([OPERATIONS.move_node.firstStep, OPERATIONS.move_node.steps]);
  });

  it.each<[string, string, (moving: MovingFixture) => Promise<void>]>([
    ['no other machine has capacity', 'has enough memory', (moving) => moving.changeMachine('new', 'memory_mib = 1')],
    [
      'the operator resumes the machine',
      'no longer drained',
      (moving) => moving.changeMachine('old', `status = 'active'`),
    ],
  ])('leaves the node where it is when %s', async (_title, reason, change) => {
    for (const at of UNDOABLE) {
      const moving = await MovingFixture.begin(bench);

      const status = await drive(moving, async (step, run) => {
        if (step === at) await change(moving);
        return run();
      });

      expect([status, await failureOf(moving)]).toEqual(['failed', expect.stringContaining(reason)]);
      await expectUnmoved(moving);
    }
  });

  it('leaves the node where it is when the archive is damaged', async () => {
    const moving = await MovingFixture.begin(bench);
    const { store, deploymentId } = moving.lifecycle;

    const status = await drive(moving, async (step, run) => {
      const key = `${moveObjects(deploymentId, moving.operation)}${moving.node}.tar.gz`;
      if (step === 'verifying_archive') await store.put(key, Readable.from([Buffer.from('other data')]), 1_000);
      return run();
    });

    expect([status, await failureOf(moving)]).toEqual(['failed', expect.stringContaining('the checksum')]);
    await expectUnmoved(moving);
  });

  it('waits for a backup that has started before, and allows none during the move', async () => {
    const moving = await MovingFixture.begin(bench);
    const { deploymentId } = moving.lifecycle;
    const backup = await bench.start({ type: 'take_backup', deploymentId });
    const held: unknown[] = [];

    const status = await drive(moving, async (step, run) => {
      if (step === 'checking_capacity') {
        held.push(await moving.state());
        if (held.length > 2) await bench.rows(`update operations set status = 'succeeded' where id = $1`, [backup]);
      }
      return run();
    });

    expect([status, held]).toEqual(['succeeded', [SERVES, SERVES, SERVES]]);
    await expectMoved(moving);
  });

  it.each(['placing_node', 'restoring_data', 'redirecting_clients', 'starting_node'])(
    'gives the data to a third machine when the second one is removed before %s',
    async (at) => {
      const moving = await MovingFixture.begin(bench);
      let isRemoved = false;

      const status = await drive(moving, async (step, run) => {
        if (step === at && !isRemoved) {
          isRemoved = true;
          await moving.remove('new');
          await moving.join('third');
        }
        return run();
      });

      expect([status, moving.hasServedEmpty, await moving.state()]).toEqual(['succeeded', false, SERVES]);
      expect((await moving.placed()).at(-1)).toEqual({ machine: 'third', intent: 'present', incarnation: 3 });
      expect(await moving.archives()).toEqual([]);
    },
  );

  it('gives another order when the new node cannot take the data', async () => {
    const moving = await MovingFixture.begin(bench);
    let failures = 0;

    const status = await bench.drive(
      moving.operation,
      () => bench.runner([moving.lifecycle.workflows.move]),
      async () => {
        const failed = `update node_orders set status = 'failed', error = 'no space' where kind = 'restore_data' and status = 'open' returning 1`;
        if (failures < 2) failures += (await bench.rows(failed)).length;
        await bench.rows(
          `update operations set step_entered_at = step_entered_at - interval '50 seconds' where id = $1`,
          [moving.operation],
        );
        await moving.world();
      },
    );

    expect([status, failures]).toEqual(['succeeded', 2]);
    await expectMoved(moving);
  });

  it.each(STEPS)('starts no broker without its data when an operator skips %s', async (at) => {
    const moving = await MovingFixture.begin(bench);
    let isSkipped = false;

    const status = await drive(moving, async (step, run) => {
      if (step !== at || isSkipped) {
        moving.areAgentsAway = false;
        return run();
      }
      isSkipped = true;
      // Otherwise the order is done before the step is skipped.
      moving.areAgentsAway = at === 'restoring_data';
      await bench.rows(`update operations set skip_step = step where id = $1`, [moving.operation]);
      throw new TypeError('the operator was faster');
    });

    expect([isSkipped, moving.hasServedEmpty, status]).toEqual([
      ...[true, false, UNDOABLE.includes(at) ? 'failed' : 'succeeded'],
    ]);
  });

  it('never fails after the old node is gone, also when a step says that it is impossible', async () => {
    const moving = await MovingFixture.begin(bench);
    const drivenBy = (driver: string) =>
      bench.rows(`update cloud_resources set driver = $2 where deployment_id = $1 and kind = 'node'`, [
        moving.lifecycle.deploymentId,
        driver,
      ]);
    let tries = 0;

    const status = await drive(moving, async (step, run) => {
      if (step === 'placing_node') await drivenBy((tries += 1) < 5 ? 'unknown' : 'machines');
      return run();
    });

    expect([status, tries]).toEqual(['succeeded', 5]);
    await expectMoved(moving);
  });

  it('gives way to a deletion, which waits until both machines have deleted the node', async () => {
    const moving = await MovingFixture.begin(bench);
    const { deploymentId, workflows } = moving.lifecycle;
    let deletion = 0;

    const moved = await drive(moving, async (step, run) => {
      if (step === 'redirecting_clients') {
        await bench.database.transaction(() => bench.operations.supersede(deploymentId, 'deleted'));
        deletion = await moving.lifecycle.start('delete_deployment');
      }
      return run();
    });
    expect([moved, await moving.archives()]).toEqual(['cancelled', [`${moving.node}.tar.gz`]]);
    let waits = 0;
    const deleted = await bench.drive(
      deletion,
      () => bench.runner([workflows.deletion]),
      async () => {
        await moving.hasDeletedNodes('new');
        if ((waits += 1) > 10) await moving.hasDeletedNodes('old');
      },
    );

    expect([deleted, waits > 10]).toEqual(['succeeded', true]);
    expect([await moving.placed(), await moving.archives(), moving.hasServedEmpty]).toEqual([[], [], false]);
  });
});
