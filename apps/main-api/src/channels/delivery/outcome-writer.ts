import type { DeliveryOutcome } from '@libs/persistence/channels';

/** After this time results are written, also while other attempts run: a hanging attempt must not delay other results. */
const LONGEST_WAIT_MS = 500;

/** Writes results in batches, one write at a time. After a crash, deliveries without a written result are attempted again. */
export class OutcomeWriter {
  private waiting: DeliveryOutcome[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly write: (outcomes: readonly DeliveryOutcome[]) => Promise<void>) {}

  add(outcome: DeliveryOutcome): void {
    this.waiting.push(outcome);
    this.timer ??= setTimeout(() => this.flush(), LONGEST_WAIT_MS);
  }

  /** Writes the remaining results. Rejects when any write has failed. */
  async end(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const outcomes = this.waiting;
    this.waiting = [];
    if (outcomes.length === 0) return;
    this.writing = this.writing.then(() => this.write(outcomes));
    // `end` reports the rejection.
    this.writing.catch(() => undefined);
  }
}
