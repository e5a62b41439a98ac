/**
 * What a handler with `@PreparesFirst()` answers: its slow part is done, and `work` is the rest, which runs in the transaction.
 * Refusals belong into `work`, where a repeat under an idempotency key is answered before them.
 */
export class Prepared<T> {
  constructor(
    readonly work: () => Promise<T>,
    /** The answer, a refusal too, leaves this long after the preparation: what `work` finds cannot be read from the time. */
    readonly atLeastMs = 0,
  ) {}
}
