import { databasePause } from '@libs/domain/processes';

export interface PeriodicOptions {
  /**
   * One pass over the current state. Takes no input, and is safe in any number of processes. May return the milliseconds to
   * the next pass, in place of the period: a pass that found no work may come later.
   */
  pass: (signal: AbortSignal) => Promise<number | void>;
  everyMs: number;
  /** How long a wake-up waits for further ones, which then share its pass. */
  gatherMs?: number;
  /** Called after a failed pass. The next pass runs after the period, and never without a growing pause. */
  failed: (error: unknown) => void;
}

/**
 * Runs a pass periodically, never two at once. The period varies randomly by 20 %, so that processes do not run in step. After a
 * failed pass nothing comes earlier than a growing pause: wake-ups that come as fast as the pass fails must not make it spin.
 */
export class Periodic {
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isWakeUpPending = false;
  private isHastened = false;
  private dueAt = 0;
  private readonly pause = databasePause();
  /** Until then no pass starts, because the last one has failed. */
  private restsUntil = 0;

  constructor(private readonly options: PeriodicOptions) {}

  /** Runs the first pass at once. */
  start(): void {
    this.schedule(0);
  }

  /** Runs a pass at once, or after `gatherMs`, instead of after the period. During a pass: once more after it. */
  wakeUp(): void {
    if (this.isRunning) this.isWakeUpPending = true;
    else if (this.timer === undefined || this.dueAt > performance.now() + this.gatherMs) this.schedule(this.gatherMs);
  }

  /** The next pass comes within the period, also after a pass that found no work. */
  soon(): void {
    if (this.isRunning) this.isHastened = true;
    else if (this.timer !== undefined && this.dueAt > performance.now() + this.options.everyMs)
      this.schedule(this.options.everyMs);
  }

  /** Aborts the signal. Resolves when the current pass has ended; no other pass starts. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.current;
  }

  private get gatherMs(): number {
    return this.options.gatherMs ?? 0;
  }

  private schedule(afterMs: number): void {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    clearTimeout(this.timer);
    const waitMs = Math.max(afterMs, this.restsUntil - performance.now());
    this.dueAt = performance.now() + waitMs;
    this.timer = setTimeout(() => {
      this.current = this.run();
    }, waitMs);
  }

  private async run(): Promise<void> {
    const { everyMs } = this.options;
    this.isRunning = true;
    const requestedMs = await this.tryPass();
    const periodMs = this.isHastened ? everyMs : (requestedMs ?? everyMs);
    const afterMs = this.isWakeUpPending ? this.gatherMs : periodMs * (0.8 + Math.random() * 0.4);
    this.isRunning = this.isWakeUpPending = this.isHastened = false;
    this.schedule(afterMs);
  }

  private async tryPass(): Promise<number | void> {
    const { signal } = this.stopping;
    try {
      const requestedMs = await this.options.pass(signal);
      this.pause.reset();
      return requestedMs;
    } catch (error) {
      this.restsUntil = performance.now() + this.pause.next();
      if (!signal.aborted) this.options.failed(error);
    }
  }
}
