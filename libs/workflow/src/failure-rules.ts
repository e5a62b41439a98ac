import { milliseconds, OPERATIONS, type RefusalConsequence, type RefusedCall } from '@libs/domain';
import type { OperationRow } from './operation-row.js';
import type { StepSpec } from './table.js';

/** Without success the outcome is `cancelled` after an operator's cancellation, and `failed` otherwise. */
export const outcomeOf = (row: OperationRow): 'failed' | 'cancelled' =>
  row.cancel_reason === null ? 'failed' : 'cancelled';

/** Whether the step has taken longer than its table allows. */
export const isGivenUp = (row: OperationRow, spec: StepSpec): boolean =>
  spec.giveUpAfter !== undefined && !row.undoing && row.step_age_seconds * 1000 > milliseconds(spec.giveUpAfter);

/**
 * What follows from a refused call. Work that must end is held where other work fails: a deletion, and the undoing of
 * steps. Otherwise resources would stay that nobody removes.
 */
export const consequenceFor = (row: OperationRow, { consequence }: RefusedCall): RefusalConsequence =>
  consequence === 'fail' && (row.undoing || !OPERATIONS[row.type].cancellable) ? 'hold' : consequence;

export const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000);
