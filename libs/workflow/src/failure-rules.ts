import { milliseconds, OPERATIONS, type RefusalConsequence, type RefusedCall } from '@libs/domain';
import type { OperationRow } from './operation-row.js';
import type { StepSpec } from './table.js';

const BASE_SECONDS = 0.25;
const LONGEST_SECONDS = 30;

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

/** Returns the seconds until the next attempt: from 0.25 to 30 seconds, doubled each time, half of it random. */
export function backoffSeconds(attempt: number, chance: () => number = Math.random): number {
  const full = Math.min(LONGEST_SECONDS, BASE_SECONDS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + chance() / 2);
}
