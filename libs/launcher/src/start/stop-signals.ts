/** Two signals closer than this are one wish: npm passes Ctrl-C on to a child that the terminal has already told. */
const ONE_WISH_MS = 700;

/** Listens for the wish to stop. The first one stops in order, a later one stops at once. */
export class StopSignals {
  private readonly stopping = new AbortController();
  private readonly hurrying = new AbortController();
  private firstAt: number | null = null;
  constructor(private readonly onHurry: () => void = () => undefined) {
    // SIGHUP: the terminal was closed.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.ask());
  }

  /** Aborted when somebody wants Landlord to stop. */
  get stop(): AbortSignal {
    return this.stopping.signal;
  }

  /** Aborted when somebody wants it to stop at once. */
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

  /** Wishes to stop, as a signal does. */
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
