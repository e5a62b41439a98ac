/**
 * Ends a request after its timeout or when the caller aborts it. Implemented without `AbortSignal.any` and `.timeout`: they
 * leave weak references to each request in a signal that outlives thousands of requests. That is a tenth of the cost of a
 * delivery.
 */
export class Deadline {
  /** Whether the timeout came first. */
  isOver = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly giveUp = (): void => this.controller.abort();

  constructor(
    timeoutMs: number,
    private readonly asked?: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.controller.abort();
    }, timeoutMs);
    if (asked?.aborted) this.controller.abort();
    else asked?.addEventListener('abort', this.giveUp);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Disables the deadline. */
  end(): void {
    clearTimeout(this.timer);
    this.asked?.removeEventListener('abort', this.giveUp);
  }
}
