import type { OperationType } from '@libs/domain';
import type { OperationRow } from './operation-row.js';
import type { Hop, StepWrite } from './step-result.js';
import type { Step, StepTable } from './table.js';

/** The input of a step. */
export interface StepContext {
  readonly operation: OperationRow;
  /**
   * Aborts when the lease could not be renewed: another worker may have the operation now. A step must pass the signal
   * to every call.
   */
  readonly signal: AbortSignal;
}

/** How an operation ended without success. */
export interface Failure {
  readonly step: string;
  readonly reason: string;
}

/**
 * One type of operation: its table, its steps, and callbacks for its subject. The callbacks run in the transaction that
 * records the move or the wait. They must only write rows.
 */
export interface Workflow {
  readonly type: OperationType;
  readonly table: StepTable;
  readonly steps: Readonly<Record<string, Step<StepContext>>>;
  entered?(operation: OperationRow, step: string): Promise<void>;
  undoing?(operation: OperationRow, failure: Failure): Promise<void>;
  /** A call of the step is refused until a person acts. Called again at each refusal. */
  held?(operation: OperationRow, reason: string): Promise<void>;
  failed?(operation: OperationRow, failure: Failure): Promise<void>;
}

/** The rows that a hop writes: those of the step, and those of the workflow. Empty when there are none. */
export function entering(workflow: Workflow, operation: OperationRow, { to, write }: Hop): { write?: StepWrite } {
  if (!write && !workflow.entered) return {};
  return {
    write: async () => {
      await write?.();
      await workflow.entered?.(operation, to);
    },
  };
}
