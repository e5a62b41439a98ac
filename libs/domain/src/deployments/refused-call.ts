/**
 * What a refused call means for the operation that made the call.
 * - `retry`: the call is repeated soon, and later each time.
 * - `wait`: the call is repeated after `retryAfterMs`. The refusal does not count as an attempt.
 * - `hold`: a person must act first. The readers of the operation learn the reason at once.
 * - `fail`: no repetition succeeds.
 */
export type RefusalConsequence = 'retry' | 'wait' | 'hold' | 'fail';

/** A call that another system refused. The message is for the operator and for the readers of the operation. */
export abstract class RefusedCall extends Error {
  abstract readonly consequence: RefusalConsequence;
  /** Milliseconds until the call of a `wait` is repeated. */
  abstract readonly retryAfterMs: number;
}
