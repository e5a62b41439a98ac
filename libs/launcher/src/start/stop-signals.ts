/** Two signals within this time count as one: npm forwards Ctrl-C to a child that the terminal has already signalled. */
const ONE_WISH_MS = 700;

/** Listens for stop signals. The first one starts an ordered stop, a later one an immediate stop. */
export class StopSignals {
  private readonly stopping = new AbortController();
  private readonly hurrying = new AbortController();
  private firstAt: number | null = null;
  constructor(private readonly onHurry: () => void = () => undefined) {
    // SIGHUP: the terminal was closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.ask());
  }

  /** Aborted at the first stop signal. */
  get stop(): AbortSignal {
    return this.stopping.signal;
  }

  /** Aborted at the signal for an immediate stop. */
  get hurry(): AbortSignal {
    return this.hurrying.signal;
  }

  /** Resolves with the first signal. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.stop.aborted) resolve();
      else this.stop.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Requests a stop, like a signal does. */
  ask(): void {
    const now = performance.now();
    if (this.firstAt === null) {
      this.firstAt = now;
      this.stopping.abort();
      return;
    }
    if (now - this.firstAt < ONE_WISH_MS || this.hurry.aborted) return;
    this.onHurry();
    this.hurrying.abort();
  }
}
