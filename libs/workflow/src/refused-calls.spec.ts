import { RefusedCall, type RefusalConsequence } from '@libs/domain';
import { WorkflowBench } from '@libs/testing';
import { toy } from '../test/toy.fixture.js';
import { done, type Workflow } from './index.js';

class Refusal extends RefusedCall {
  constructor(
    readonly consequence: RefusalConsequence,
    readonly retryAfterMs = 20_000,
  ) {
    super(`refused: ${consequence}`);
  }
}

describe('A refused call of a step', () => {
  let bench: WorkflowBench;
  let stepLog: string[];

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => void (stepLog = []));

  const row = async (id: number) =>
    (
      await bench.rows<Record<string, any>>(
        `select *, extract(epoch from wake_at - now())::float8 as sleeps from operations where id = $1`,
        [id],
      )
    )[0] ?? {};

  async function refuse(consequence: RefusalConsequence, callbacks: Partial<Workflow> = {}) {
    const id = await bench.start({ type: 'provision_deployment' });
    const refused = toy(stepLog, { second: () => Promise.reject(new Refusal(consequence)) });
    await bench.runner([{ ...refused, ...callbacks }]).run(id);
    return { id, ...(await row(id)) } as Record<string, any>;
  }

  it('is repeated after the time of the other system, and the refusal is no attempt', async () => {
    const { id, ...waiting } = await refuse('wait');

    expect(waiting).toMatchObject({ status: 'running', step: 'second', attempt: 0, last_error: null });
    expect(waiting['reason']).toBe('refused: wait');
    expect(waiting['sleeps']).toBeGreaterThan(15);
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);
    await bench.runner([toy(stepLog)]).run(id);
    expect(await row(id)).toMatchObject({ status: 'succeeded' });
  });

  it('counts as an attempt when the other system is unavailable', async () => {
    const { sleeps, ...waiting } = await refuse('retry');

    expect(waiting).toMatchObject({ attempt: 1, last_error: 'refused: retry' });
    expect(sleeps).toBeLessThan(1);
  });

  it('undoes the steps at once when no repetition succeeds', async () => {
    expect(await refuse('fail')).toMatchObject({ status: 'failed', reason: 'refused: fail' });

    expect(stepLog).toEqual(['creating', 'second', 'undo_second']);
  });

  it('is held and tells the readers at once, until a person has acted and an operator retries', async () => {
    const reports: string[] = [];
    const onHeld = async (operation: { step: string }, reason: string) =>
      void reports.push(`${operation.step} ${reason}`);

    const { id, ...waiting } = await refuse('hold', { held: onHeld });

    expect(reports).toEqual(['second refused: hold']);
    expect(waiting).toMatchObject({ status: 'running', attempt: 0, reason: 'held: refused: hold' });
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);
    await bench.runner([toy(stepLog)]).run(id);
    expect(await row(id)).toMatchObject({ status: 'succeeded' });
  });

  it('fails a held operation when the step has taken too long', async () => {
    const { id } = await refuse('hold');
    await bench.rows(
      `update operations set step_entered_at = now() - interval '61 minutes', wake_at = now() where id = $1`,
      [id],
    );

    await bench.runner([toy(stepLog)]).run(id as number);

    expect(await row(id)).toMatchObject({ status: 'failed', reason: 'gave up after 1h: held: refused: hold' });
  });

  it('does not end the undoing of steps, where resources would stay', async () => {
    const id = await bench.start({ type: 'provision_deployment' });
    const steps = { second: () => Promise.reject(new Refusal('fail')) };
    const stuck = toy(stepLog, { ...steps, undo_second: () => Promise.reject(new Refusal('fail')) });

    await bench.runner([stuck]).run(id);

    expect(await row(id)).toMatchObject({ status: 'running', step: 'undo_second', reason: 'held: refused: fail' });
    await bench.rows('update operations set wake_at = now() where id = $1', [id]);
    await bench.runner([toy(stepLog, { undo_second: async () => done() })]).run(id);
    expect(await row(id)).toMatchObject({ status: 'failed', reason: 'refused: fail' });
  });

  it('does not tell the readers after the lease was lost', async () => {
    const id = await bench.start({ type: 'provision_deployment' });
    const reports: string[] = [];
    const lost = toy(stepLog, {
      creating: async () => {
        await bench.rows('update operations set lease_token = lease_token + 1 where id = $1', [id]);
        throw new Refusal('hold');
      },
    });

    await bench.runner([{ ...lost, held: async (_, reason) => void reports.push(reason) }]).run(id);

    expect(reports).toEqual([]);
    expect(await row(id)).toMatchObject({ status: 'running', reason: null });
  });
});
