import { OPERATIONS } from '@libs/domain';
import { CredentialsRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { ROTATE_CREDENTIALS } from './rotate-credentials.workflow.js';

const STEPS = Object.keys(ROTATE_CREDENTIALS).filter((step) => step !== 'restoring_nodes');
const NODES = 3;
const OVERLAP = { overlap_seconds: 300 };

describe('rotate_credentials', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const recorded = async ({ deploymentId }: LifecycleFixture): Promise<string> =>
    (await new CredentialsRepository(bench.database, bench.secrets).find(deploymentId))?.password ?? '';

  const specsOf = async ({ deploymentId }: LifecycleFixture) => {
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const nodes = await new NodesRepository(bench.database).list(deploymentId);
    return (await Promise.all(nodes.map(({ id }) => documents.find(id)))).map((document) => document?.spec);
  };

  /** The passwords in the newest documents of the nodes, each once. */
  const onNodes = async (fixture: LifecycleFixture): Promise<string[]> => [
    ...new Set((await specsOf(fixture)).map((spec) => spec?.credentials.password ?? '')),
  ];

  /** The previous passwords in the newest documents of the nodes. */
  const previousOnNodes = async (fixture: LifecycleFixture) =>
    (await specsOf(fixture)).map((spec) => spec?.previous_password ?? null);

  /** Seconds until the end of the previous password. Null without one. */
  const secondsLeft = async ({ deploymentId }: LifecycleFixture): Promise<number | null> => {
    const credentials = await new CredentialsRepository(bench.database, bench.secrets).find(deploymentId);
    return credentials?.previous_until ? (credentials.previous_until.getTime() - Date.now()) / 1000 : null;
  };

  /** The recorded end of the previous password, in the form of the documents. */
  const endOnRecord = async ({ deploymentId }: LifecycleFixture): Promise<string | undefined> => {
    const [row] = await bench.rows<{ until: string }>(
      `select to_char(previous_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
         from deployment_credentials where deployment_id = $1`,
      [deploymentId],
    );
    return row?.until;
  };

  const begin = async (memo: Record<string, unknown> = OVERLAP) => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const before = await recorded(fixture);
    const operation = await fixture.start('rotate_credentials', memo);
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
        const seconds = await secondsLeft(fixture);
        expect(seconds).toBeGreaterThan(200);
        expect(seconds).toBeLessThanOrEqual(300);
        const valid_to = await endOnRecord(fixture);
        expect(await previousOnNodes(fixture)).toEqual(Array(NODES).fill({ password: before, valid_to }));
        expect((await fixture.recorded()).events).toEqual(['deployment_initialized', 'deployment_secrets_rotated']);
      },
      expectUndone: async () => {
        expect(await recorded(fixture)).toBe(before);
        expect(await onNodes(fixture)).toEqual([before]);
        expect(await previousOnNodes(fixture)).toEqual(Array(NODES).fill(null));
        expect(await secondsLeft(fixture)).toBeNull();
        expect(await fixture.status()).toBe('initialized');
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('rotate_credentials', () => begin(), STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([
      OPERATIONS.rotate_credentials.firstStep,
      OPERATIONS.rotate_credentials.steps,
    ]);
  });

  it('changes one node after the other, and shows the new password when the last node has it', async () => {
    const { fixture, before, drive } = await begin();
    const states: [string, number][] = [];

    await drive(async (step, run) => {
      if (step === 'rotating_node') states.push([await recorded(fixture), (await onNodes(fixture)).length]);
      return run();
    });

    expect(states).toEqual([
      [before, 1],
      [before, 2],
      [before, 2],
      [before, 1],
    ]);
  });

  it('lets every changed node accept both passwords, and no node the new one only', async () => {
    const { fixture, before, drive } = await begin();
    const states: boolean[] = [];

    await drive(async (_step, run) => {
      for (const spec of await specsOf(fixture))
        states.push([spec?.credentials.password, spec?.previous_password?.password].includes(before));
      return run();
    });

    expect(new Set(states)).toEqual(new Set([true]));
  });

  it.each([
    ['an overlap of 0', { overlap_seconds: 0 }],
    ['an operation of an earlier release', {}],
  ])('keeps no previous password with %s', async (_what, memo) => {
    const { fixture, drive } = await begin(memo);
    const states: unknown[] = [];

    await drive(async (_step, run) => {
      states.push(...(await previousOnNodes(fixture)));
      return run();
    });

    expect(new Set([...states, ...(await previousOnNodes(fixture))])).toEqual(new Set([null]));
    expect(await secondsLeft(fixture)).toBeNull();
    const stored = 'select previous_password, previous_until from deployment_credentials where deployment_id = $1';
    expect(await bench.rows(stored, [fixture.deploymentId])).toEqual([
      { previous_password: null, previous_until: null },
    ]);
  });

  it('creates another password in a second rotation, and drops the first one before any node changes', async () => {
    const { fixture, before, drive } = await begin();
    await drive((_step, run) => run());
    const first = await recorded(fixture);
    const states: (string | undefined)[] = [];

    await bench.drive(
      await fixture.start('rotate_credentials', OVERLAP),
      () =>
        bench.runner([fixture.workflows.rotation], async (step, run) => {
          const previous = await previousOnNodes(fixture);
          if (step === 'rotating_node') states.push(...previous.map((one) => one?.password));
          return run();
        }),
      () => fixture.agentsReport(),
    );

    expect(states.slice(0, NODES)).toEqual(Array(NODES).fill(undefined));
    expect(states).not.toContain(before);
    expect(await recorded(fixture)).not.toBe(first);
    expect(await onNodes(fixture)).toEqual([await recorded(fixture)]);
    expect((await previousOnNodes(fixture)).map((one) => one?.password)).toEqual(Array(NODES).fill(first));
  });
});
