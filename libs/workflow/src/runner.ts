import { milliseconds, RefusedCall, type OperationId } from '@libs/domain';
import type { Database } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { backoffSeconds, consequenceFor, describe, isGivenUp, outcomeOf } from './failure-rules.js';
import { LeaseLost, LeaseRenewal } from './lease-renewal.js';
import type { OperationRow } from './operation-row.js';
import type { EndStatus, HopMove, OperationStore } from './operation-store.js';
import { done, hop, nap, StepImpossible, type Done, type Hop, type Nap, type StepResult } from './step-result.js';
import type { Step, StepSpec } from './table.js';
import { entering, type Failure, type StepContext, type Workflow } from './workflow.js';
import type { WorkflowLog } from './workflow-log.js';

/** Longer naps are left to the sweeper, without a delayed wake-up. */
const WAKE_UP_AHEAD_SECONDS = 60;
const UNKNOWN_STEP_NAP_SECONDS = 60;
/** After this time a held step runs again, started by the sweeper. An operator's retry starts the step earlier. */
const HELD_SECONDS = 60;

/**
 * Moves operations. Takes one by its lease, runs its steps one after another, and stops at a nap, an error or the end.
 * The lease token fences every write: of two runners that assume to own a row, only one writes.
 */
export class Runner {
  private isStopping = false;

  constructor(
    private readonly database: Database,
    private readonly store: OperationStore,
    private readonly wakeUps: WakeUpQueue,
    private readonly workflows: ReadonlyMap<string, Workflow>,
    private readonly log: WorkflowLog,
  ) {}

  /** From now on no step starts. Other workers of the queue can continue at once. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Moves the operation as far as possible now. Does nothing when the operation is not due or another worker has its
   * lease.
   */
  async run(operationId: OperationId): Promise<void> {
    let row = this.isStopping ? null : await this.store.take(operationId);
    if (!row) return;
    const lease = new LeaseRenewal(this.store, row);
    try {
      while (row && !this.isStopping) row = await this.advance(row, lease);
      if (row) await this.store.release(row);
    } catch (error) {
      // Lost leases and lost connections both end here: the row is due again after the end of the lease.
      if (!(error instanceof LeaseLost)) this.log.interrupted(operationId, error);
    } finally {
      lease.stop();
    }
  }

  /** Runs one step. Returns the row in its next step, or null when there is no more work now. */
  private async advance(row: OperationRow, lease: LeaseRenewal): Promise<OperationRow | null> {
    const workflow = this.workflows.get(row.type);
    const step = workflow?.steps[row.step];
    if (!workflow || !step) return this.standStill(row);
    const spec = workflow.table[row.step] ?? { to: [] };
    if (row.cancel_reason !== null && !row.undoing) return this.fail(row, workflow, row.cancel_reason);
    if (row.skip_step === row.step) return this.skip(row, workflow, spec);
    if (isGivenUp(row, spec))
      return this.fail(row, workflow, `gave up after ${spec.giveUpAfter}: ${row.reason ?? `step ${row.step}`}`);
    const result = await this.attempt(row, workflow, step, lease);
    if (result instanceof StepImpossible) return this.fail(row, workflow, result.message);
    return result && this.record(row, workflow, result);
  }

  /**
   * The writes of a result can conflict, for example when another deployment took the port. Then the step is retried
   * later.
   */
  private async record(row: OperationRow, workflow: Workflow, result: StepResult): Promise<OperationRow | null> {
    try {
      return await this.settle(row, workflow, result);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return this.tryAgain(row, error);
    }
  }

  private async attempt(
    row: OperationRow,
    workflow: Workflow,
    step: Step<StepContext>,
    lease: LeaseRenewal,
  ): Promise<StepResult | StepImpossible | null> {
    const begun = performance.now();
    try {
      const result = await step.call(workflow, { operation: row, signal: lease.watch() });
      this.log.stepRan(row, result, performance.now() - begun);
      return result;
    } catch (error) {
      if (error instanceof StepImpossible) return error;
      return error instanceof RefusedCall ? this.followRefusal(row, workflow, error) : this.tryAgain(row, error);
    }
  }

  private async followRefusal(row: OperationRow, workflow: Workflow, refused: RefusedCall) {
    const consequence = consequenceFor(row, refused);
    if (consequence === 'retry') return this.tryAgain(row, refused);
    this.log.refused(row, refused.message, consequence);
    if (consequence === 'fail') return new StepImpossible(refused.message);
    if (consequence === 'hold') return this.hold(row, workflow, refused.message);
    return this.nap(row, nap(`${refused.retryAfterMs}ms`, refused.message));
  }

  private async hold(row: OperationRow, workflow: Workflow, reason: string): Promise<null> {
    await this.database.transaction(async () => {
      if ((await this.store.nap(row, HELD_SECONDS, `held: ${reason}`)) === 'lost') throw new LeaseLost();
      await workflow.held?.(row, reason);
    });
    return null;
  }

  private async tryAgain(row: OperationRow, error: unknown): Promise<null> {
    const seconds = backoffSeconds(row.attempt);
    this.log.stepFailed(row, error, seconds);
    await this.store.retry(row, seconds, describe(error));
    this.wakeUps.wakeUp(row.queue, row.id, seconds * 1000);
    return null;
  }

  private async settle(row: OperationRow, workflow: Workflow, result: StepResult): Promise<OperationRow | null> {
    switch (result.kind) {
      case 'nap':
        return this.nap(row, result);
      case 'hop':
        return this.hop(row, workflow, result);
      case 'done':
        return row.undoing ? this.undone(row, workflow, result) : this.succeed(row, result);
    }
  }

  private async nap(row: OperationRow, { duration, reason }: Nap): Promise<null> {
    const seconds = milliseconds(duration) / 1000;
    const outcome = await this.store.nap(row, seconds, reason);
    if (outcome === 'due') this.wakeUps.wakeUp(row.queue, row.id);
    else if (outcome === 'asleep' && seconds <= WAKE_UP_AHEAD_SECONDS)
      this.wakeUps.wakeUp(row.queue, row.id, seconds * 1000);
    return null;
  }

  private hop(row: OperationRow, workflow: Workflow, result: Hop, as: HopMove['as'] = 'succeeded') {
    const undoneBy = workflow.table[result.to]?.undoneBy;
    return this.move(row, workflow, {
      to: result.to,
      memo: result.memo ?? {},
      undo: undoneBy && !row.undo.includes(undoneBy) ? [...row.undo, undoneBy] : row.undo,
      as,
      ...entering(workflow, row, result),
    });
  }

  private async succeed(row: OperationRow, result: Done): Promise<null> {
    await this.end(row, 'succeeded', null, result.write);
    return null;
  }

  /** Fails the step: undoes the registered steps, newest first, or ends at once without registered steps. */
  private async fail(row: OperationRow, workflow: Workflow, reason: string): Promise<OperationRow | null> {
    const failure: Failure = { step: row.step, reason };
    this.log.failed(row, failure);
    const last = row.undo.at(-1);
    if (last === undefined) {
      await this.end(row, outcomeOf(row), reason, workflow.failed && (() => workflow.failed?.(row, failure)));
      return null;
    }
    const move = {
      to: last,
      memo: { failure },
      undo: row.undo.slice(0, -1),
      as: outcomeOf(row),
      error: reason,
      reason,
    } as const;
    const write = workflow.undoing && (async () => workflow.undoing?.(row, failure));
    return this.move(row, workflow, { ...move, undoing: true, ...(write && { write }) });
  }

  /** Continues as if the step had succeeded: with the first possible next step that is not the step itself. */
  private async skip(row: OperationRow, workflow: Workflow, { to }: StepSpec): Promise<OperationRow | null> {
    this.log.skipped(row);
    const next = to.find((step) => step !== row.step);
    if (next === undefined) return this.settle(row, workflow, done());
    return this.hop(row, workflow, hop(next), 'skipped');
  }

  private async undone(row: OperationRow, workflow: Workflow, { write }: Done): Promise<OperationRow | null> {
    const last = row.undo.at(-1);
    if (last !== undefined) {
      const move = { to: last, memo: {}, undo: row.undo.slice(0, -1), undoing: true, as: 'undone' } as const;
      return this.move(row, workflow, { ...move, ...(write && { write }) });
    }
    const failure = row.memo['failure'] as Failure;
    await this.end(row, outcomeOf(row), failure.reason, async () => {
      await write?.();
      await workflow.failed?.(row, failure);
    });
    return null;
  }

  private async move(
    row: OperationRow,
    workflow: Workflow,
    to: Pick<HopMove, 'to' | 'memo' | 'undo' | 'as'> & Partial<HopMove> & { write?: () => Promise<void> },
  ): Promise<OperationRow> {
    const deadline = workflow.table[to.to]?.deadline;
    const deadlineSeconds = deadline === undefined ? null : milliseconds(deadline) / 1000;
    const { write } = to;
    const hop = async (): Promise<OperationRow> => {
      const next = await this.store.hop(row, { undoing: false, error: null, reason: null, ...to, deadlineSeconds });
      if (!next) throw new LeaseLost();
      await write?.();
      return next;
    };
    // Without further rows to write, the statement is the transaction, and other operations share the statement.
    return write ? this.database.transaction(hop) : hop();
  }

  private async end(
    row: OperationRow,
    status: EndStatus,
    reason: string | null,
    write: (() => Promise<void> | undefined) | undefined,
  ): Promise<void> {
    const end = async (): Promise<void> => {
      if (!(await this.store.end(row, status, reason))) throw new LeaseLost();
      await write?.();
    };
    await (write ? this.database.transaction(end) : end());
    this.log.ended(row, status);
  }

  /**
   * A release without this step may run next to a release with it. Waits for the other release, and reports to an
   * operator.
   */
  private async standStill(row: OperationRow): Promise<null> {
    if (await this.store.standStill(row)) this.log.unknownStep(row);
    await this.store.nap(row, UNKNOWN_STEP_NAP_SECONDS, `no worker knows step ${row.step}`);
    return null;
  }
}
