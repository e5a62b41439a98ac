import type { OperationType } from '@libs/domain';
import type { OperationRow } from './operation-row.js';
import type { Step, StepTable } from './table.js';

/** What a step is given. */
export interface StepContext {
  readonly operation: OperationRow;
  /** Aborts when the lease could not be renewed: someone else may own the operation now. Pass it to every call. */
  readonly signal: AbortSignal;
}

/** How an operation ended without success. */
export interface Failure {
  readonly step: string;
  readonly reason: string;
}

/**
 * One type of operation: its table, its steps, and what its beginning of a step and its end mean for its subject.
 * The three callbacks run in the transaction that records the move; they only write rows.
 */
export interface Workflow {
  readonly type: OperationType;
  readonly table: StepTable;
  readonly steps: Readonly<Record<string, Step<StepContext>>>;
  entered?(operation: OperationRow, step: string): Promise<void>;
  undoing?(operation: OperationRow, failure: Failure): Promise<void>;
  failed?(operation: OperationRow, failure: Failure): Promise<void>;
}
