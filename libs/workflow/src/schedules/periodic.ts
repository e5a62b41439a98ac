export interface PeriodicOptions {
  /** One look at the standing truth; takes no input, and is safe to run in any number of processes. */
  pass: (signal: AbortSignal) => Promise<void>;
  everyMs: number;
  /** A pass failed; the next one comes all the same. */
  failed: (error: unknown) => void;
}

/** Runs a pass again and again, never two at once, a fifth sooner or later by chance, so that processes drift apart. */
export class Periodic {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isWokenUp = false;

  constructor(private readonly options: PeriodicOptions) {}

  /** The first pass comes at once. */
  start(): void {
    this.schedule(0);
  }

  /** Looks at once instead of at the next turn; while a pass runs, once more when it has ended. */
  wakeUp(): void {
    if (this.isRunning) this.isWokenUp = true;
    else this.schedule(0);
  }

  /** Aborts the signal and resolves when the pass that runs has ended; no other begins. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.current;
  }

  private schedule(afterMs: number): void {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isRunning = true;
      this.current = this.options
        .pass(signal)
        .catch((error: unknown) => {
          if (!signal.aborted) this.options.failed(error);
        })
        .then(() => {
          this.isRunning = false;
          this.schedule(this.isWokenUp ? 0 : this.options.everyMs * (0.8 + Math.random() * 0.4));
          this.isWokenUp = false;
        });
    }, afterMs);
  }
}
