import { OPERATIONS } from '@libs/domain';
import { CredentialsRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { ROTATE_CREDENTIALS } from './rotate-credentials.workflow.js';

const STEPS = Object.keys(ROTATE_CREDENTIALS).filter((step) => step !== 'restoring_nodes');
const NODES = 3;

describe('rotate_credentials', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const recorded = async ({ deploymentId }: LifecycleFixture): Promise<string> =>
    (await new CredentialsRepository(bench.database, bench.secrets).find(deploymentId))?.password ?? '';

  /** The passwords in the newest documents of the nodes, each once. */
  const onNodes = async ({ deploymentId }: LifecycleFixture): Promise<string[]> => {
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const nodes = await new NodesRepository(bench.database).list(deploymentId);
    const found = await Promise.all(nodes.map(({ id }) => documents.find(id)));
    return [...new Set(found.map((document) => document?.spec.credentials.password ?? ''))];
  };

  const begin = async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const before = await recorded(fixture);
    const operation = await fixture.start('rotate_credentials');
    return {
      fixture,
      before,
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([fixture.workflows.rotation], around),
          () => fixture.agentsReport(),
        ),
      expectDone: async () => {
        const after = await recorded(fixture);
        expect(after).not.toBe(before);
        expect(await onNodes(fixture)).toEqual([after]);
        expect((await fixture.recorded()).events).toEqual(['deployment_initialized', 'deployment_secrets_rotated']);
      },
      expectUndone: async () => {
        expect(await recorded(fixture)).toBe(before);
        expect(await onNodes(fixture)).toEqual([before]);
        expect(await fixture.status()).toBe('initialized');
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('rotate_credentials', () => ({ steps: STEPS, undoable: STEPS, begin }), STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([
      OPERATIONS.rotate_credentials.firstStep,
      OPERATIONS.rotate_credentials.steps,
    ]);
  });

  it('changes one node after the other, and shows the new password when the last node has it', async () => {
    const { fixture, before, drive } = await begin();
    const seen: [string, number][] = [];

    await drive(async (step, run) => {
      if (step === 'rotating_node') seen.push([await recorded(fixture), (await onNodes(fixture)).length]);
      return run();
    });

    expect(seen).toEqual([
      [before, 1],
      [before, 2],
      [before, 2],
      [before, 1],
    ]);
  });

  it('creates another password in a second rotation', async () => {
    const { fixture, drive } = await begin();
    await drive((_step, run) => run());
    const first = await recorded(fixture);

    await bench.drive(
      await fixture.start('rotate_credentials'),
      () => bench.runner([fixture.workflows.rotation]),
      () => fixture.agentsReport(),
    );

    expect(await recorded(fixture)).not.toBe(first);
    expect(await onNodes(fixture)).toEqual([await recorded(fixture)]);
  });
});
