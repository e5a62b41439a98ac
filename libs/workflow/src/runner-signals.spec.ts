import { Database, type NumberedRow, type Statement } from '@libs/persistence';
import { SilentWakeUpQueue } from '@libs/queue';
import { WorkflowBench } from '@libs/testing';
import { hop, nap, OperationStore, Runner, WorkflowLog } from './index.js';
import { toy } from '../test/toy.fixture.js';

/** Calls a hook before every statement: other processes can act at each of these moments. */
class InterruptedDatabase extends Database {
  statements = 0;
  interrupt: (nth: number) => Promise<void> = async () => undefined;

  override async query<Row>(prepared: Statement, values: unknown[] = []): Promise<Row[]> {
    await this.interrupt(++this.statements);
    return super.query<Row>(prepared, values);
  }

  override async batched<Row extends NumberedRow>(
    prepared: Statement,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    await this.interrupt(++this.statements);
    return super.batched<Row>(prepared, values);
  }

  override async execute(prepared: Statement, values: unknown[] = []): Promise<number> {
    await this.interrupt(++this.statements);
    return super.execute(prepared, values);
  }
}

class QuietLog extends WorkflowLog {
  override ended(): void {}
  override stepRan(): void {}
  override stepFailed(): void {}
}

describe('A signal', () => {
  let bench: WorkflowBench;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  /** Runs a workflow that waits for a change. The change happens before statement `nth`. Returns the final status. */
  const runWithChange = async (nth: number, deploymentId: number): Promise<{ status: string; statements: number }> => {
    const id = await bench.start({ type: 'provision_deployment', deploymentId });
    const database = new InterruptedDatabase(bench.database.dataSource);
    const signals: Promise<void>[] = [];
    let hasChanged = false;
    const waits = async (to: string) => (hasChanged ? hop(to) : nap('1h', 'the world has not changed'));
    const workflow = toy([], { creating: () => waits('second'), second: () => waits('third') });
    const runner = new Runner(
      database,
      new OperationStore(database),
      new SilentWakeUpQueue(),
      new Map([[workflow.type, workflow]]),
      new QuietLog(),
    );
    database.interrupt = async (statement) => {
      if (statement !== nth) return;
      hasChanged = true;
      const signal = bench.database.transaction(() => bench.operations.signal(deploymentId));
      signals.push(signal);
      // Inside a transaction the row may be locked. The signal then waits for the commit, as in production.
      if (!database.isInTransaction) await signal;
    };
    for (let runs = 0; runs < 6; runs += 1) {
      await runner.run(id);
      await Promise.all(signals);
    }
    if (!hasChanged) await bench.rows(`update operations set status = 'cancelled' where id = $1`, [id]);
    const [row] = await bench.rows<{ status: string }>('select status from operations where id = $1', [id]);
    return { status: row?.status ?? '', statements: database.statements };
  };

  it('is never lost, before any statement of the runner', async () => {
    const outcomes: string[] = [];

    for (let nth = 1; ; nth += 1) {
      const { status, statements } = await runWithChange(nth, 5000 + nth);
      if (statements < nth) break;
      outcomes.push(status);
    }

    expect(outcomes.length).toBeGreaterThanOrEqual(6);
    expect(new Set(outcomes)).toEqual(new Set(['succeeded']));
  });
});
