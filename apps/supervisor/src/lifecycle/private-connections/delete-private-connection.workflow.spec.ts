import { OPERATIONS } from '@libs/domain';
import { PRIVATE_CONNECTION_KINDS } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around, refTo } from '@libs/testing';
import { DELETE_PRIVATE_CONNECTION } from './delete-private-connection.workflow.js';
import { PrivateConnectionFixture } from '../../../test/private-connection.fixture.js';

const STEPS = Object.keys(DELETE_PRIVATE_CONNECTION);
const GONE = {
  vpc_peering: 'deleted',
  network_peering: 'deleted',
  endpoint_service: 'deleted',
  service_attachment: 'closed',
};

describe('delete_private_connection', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const begin = async () => {
    const fixture = await PrivateConnectionFixture.made(bench, 'vpc_peering');
    const { lifecycle } = fixture;
    const operation = await fixture.startDeletion();
    return {
      drive: (around: Around) =>
        bench.drive(operation, () => bench.runner([lifecycle.workflows.connectionDeletion], around)),
      expectDone: async () => {
        expect([...lifecycle.cloud.resources.keys()]).toEqual([]);
        expect(await fixture.record()).toBeNull();
        expect(await fixture.lastStatus()).toBe('deleted');
      },
      expectUndone: async () => undefined,
    };
  };

  stepSuites('delete_private_connection', begin, STEPS, []);

  it('starts at the step in the catalogue of operations', () => {
    const { firstStep, steps, changing, cancellable } = OPERATIONS.delete_private_connection;
    expect([STEPS[0], STEPS.length, changing, cancellable]).toEqual([firstStep, steps, false, false]);
  });

  it.each(PRIVATE_CONNECTION_KINDS)(
    'of a %s deletes the row when the provider no longer shows the resource',
    async (kind) => {
      const fixture = await PrivateConnectionFixture.made(bench, kind);

      expect(await fixture.delete()).toBe('succeeded');

      expect(fixture.lifecycle.cloud.resources.size).toBe(0);
      expect(await fixture.record()).toBeNull();
      expect(await fixture.lastStatus()).toBe(GONE[kind]);
    },
  );

  it('waits for a creation during its call to the provider, and removes the created resource', async () => {
    const fixture = await PrivateConnectionFixture.asked(bench, 'vpc_peering');
    const { lifecycle, resource } = fixture;
    const creation = await fixture.startCreation();
    let deletion = 0;
    let waiting = '';
    const creator = bench.runner([lifecycle.workflows.connection], async (step, work) => {
      if (step !== 'requesting') return work();
      deletion = await fixture.startDeletion();
      await bench.runner([lifecycle.workflows.connectionDeletion]).run(deletion);
      waiting = await stepOf(bench, deletion);
      // This call started before the request for the deletion, and the provider is still executing it.
      await lifecycle.cloud.ensure('vpc_peering', refTo(resource), {} as never, {
        installation: 'test',
        deployment_id: lifecycle.deploymentId,
      });
      return work();
    });

    await creator.run(creation);
    const created = await bench.drive(creation, () => bench.runner([lifecycle.workflows.connection]));
    const deleted = await bench.drive(deletion, () => bench.runner([lifecycle.workflows.connectionDeletion]));

    expect([waiting, created, deleted]).toEqual(['awaiting_quiet', 'succeeded', 'succeeded']);
    expect(lifecycle.cloud.resources.size).toBe(0);
    expect(await fixture.record()).toBeNull();
  });

  it('does not wait for the creation of another connection', async () => {
    const fixture = await PrivateConnectionFixture.made(bench, 'vpc_peering');
    const other = await PrivateConnectionFixture.asked(bench, 'vpc_peering', fixture.lifecycle);
    await other.startCreation();

    expect(await fixture.delete()).toBe('succeeded');
  });

  it('destroys nothing after a restore of the database until an operator confirms', async () => {
    const fixture = await PrivateConnectionFixture.made(bench, 'endpoint_service');
    const { lifecycle, resource } = fixture;
    const operation = await fixture.startDeletion();
    const runner = () => bench.runner([lifecycle.workflows.connectionDeletion]);

    await bench.rows('update installation set destruction_held_since = now()');
    await runner().run(operation);
    const held = lifecycle.cloud.resources.get(resource)?.state;
    await bench.rows('update installation set destruction_held_since = null');
    await bench.drive(operation, runner);

    expect(held).toBe('active');
    expect(lifecycle.cloud.resources.size).toBe(0);
  });

  it('retries without a limit while the provider is unavailable', async () => {
    const fixture = await PrivateConnectionFixture.made(bench, 'service_attachment');
    const { lifecycle } = fixture;
    const operation = await fixture.startDeletion();
    const runner = () => bench.runner([lifecycle.workflows.connectionDeletion]);

    lifecycle.cloud.refuses = () => ({ code: 'unavailable' });
    await runner().run(operation);
    await bench.rows(`update operations set step_entered_at = now() - interval '2 days' where id = $1`, [operation]);
    await bench.rows(`update operations set wake_at = now() where id = $1`, [operation]);
    await runner().run(operation);
    const meanwhile = await fixture.record();
    lifecycle.cloud.refuses = () => null;
    const status = await bench.drive(operation, runner);

    expect(meanwhile?.status).toBe('deleting');
    expect(status).toBe('succeeded');
    expect(await fixture.record()).toBeNull();
  });
});

async function stepOf(bench: WorkflowBench, operation: number): Promise<string> {
  const [row] = await bench.rows<{ step: string }>('select step from operations where id = $1', [operation]);
  return row?.step ?? '';
}
