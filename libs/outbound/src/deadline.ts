/**
 * Ends a request when its time is over or whoever asked gives it up. By hand, since `AbortSignal.any` and `.timeout` leave weak
 * references to each request in a signal that outlives thousands of them: a tenth of what a delivery costs.
 */
export class Deadline {
  /** Whether the time was over first. */
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

  /** Nothing is ended any more. */
  end(): void {
    clearTimeout(this.timer);
    this.asked?.removeEventListener('abort', this.giveUp);
  }
}
