/**
 * Calls `over` once: after the timeout, or when the caller aborts the request. Implemented without `AbortSignal.any` and
 * `.timeout`: they leave weak references to each request in a signal that outlives thousands of requests. That is a tenth of
 * the cost of a delivery.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private readonly aborted = (): void => this.over('aborted');

  constructor(
    timeoutMs: number,
    private readonly asked: AbortSignal | undefined,
    private readonly over: (why: 'timeout' | 'aborted') => void,
  ) {
    this.timer = setTimeout(() => over('timeout'), timeoutMs);
    if (asked?.aborted) over('aborted');
    else asked?.addEventListener('abort', this.aborted);
  }

  /** Disables the deadline. */
  end(): void {
    clearTimeout(this.timer);
    this.asked?.removeEventListener('abort', this.aborted);
  }
}
