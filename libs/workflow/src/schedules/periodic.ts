export interface PeriodicOptions {
  /** One pass over the current state. Takes no input, and is safe in any number of processes. */
  pass: (signal: AbortSignal) => Promise<void>;
  everyMs: number;
  /** Called after a failed pass. The next pass runs as usual. */
  failed: (error: unknown) => void;
}

/** Runs a pass periodically, never two at once. The period varies randomly by 20 %, so that processes do not run in step. */
export class Periodic {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isWokenUp = false;

  constructor(private readonly options: PeriodicOptions) {}

  /** Runs the first pass at once. */
  start(): void {
    this.schedule(0);
  }

  /** Runs a pass at once instead of after the period. During a pass: once more after it. */
  wakeUp(): void {
    if (this.isRunning) this.isWokenUp = true;
    else this.schedule(0);
  }

  /** Aborts the signal. Resolves when the current pass has ended; no other pass starts. */
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
