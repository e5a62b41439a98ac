/**
 * The result of a handler with `@PreparesFirst()`. Its slow part is done; `work` is the rest and runs in the
 * transaction. Refusals belong in `work`: there a repeat with an idempotency key gets the stored answer first.
 */
export class Prepared<T> {
  constructor(
    readonly work: () => Promise<T>,
    /**
     * Minimum time from the preparation to the answer, also for a refusal. So the response time does not reveal what
     * `work` found.
     */
    readonly atLeastMs = 0,
  ) {}

  /** The same work, with another form of the result. */
  map<U>(form: (result: T) => U): Prepared<U> {
    return new Prepared(async () => form(await this.work()), this.atLeastMs);
  }
}
