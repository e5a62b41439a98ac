/** What an abort of a signal ends. One listener for all requests of a signal: one for each costs as much as a signature. */
const ends = new WeakMap<AbortSignal, Set<() => void>>();

function endsOf(signal: AbortSignal): Set<() => void> {
  const deadline = ends.get(signal);
  if (deadline) return deadline;
  const all = new Set<() => void>();
  ends.set(signal, all);
  signal.addEventListener('abort', () => all.forEach((end) => end()), { once: true });
  return all;
}

/**
 * Calls `over` once: after the timeout, or when the caller aborts the request. Implemented without `AbortSignal.any` and
 * `.timeout`: they leave weak references to each request in a signal that outlives thousands of requests. That is a tenth of
 * the cost of a delivery.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout;
  private readonly aborted = (): void => this.over('aborted');
  private readonly others: Set<() => void> | undefined;

  constructor(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    private readonly over: (why: 'timeout' | 'aborted') => void,
  ) {
    this.timer = setTimeout(() => over('timeout'), timeoutMs);
    this.others = signal && endsOf(signal);
    if (signal?.aborted) over('aborted');
    else this.others?.add(this.aborted);
  }

  /** Disables the deadline. */
  end(): void {
    clearTimeout(this.timer);
    this.others?.delete(this.aborted);
  }
}
