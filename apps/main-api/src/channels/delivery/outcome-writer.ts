import type { DeliveryOutcome } from '@libs/persistence/channels';

/** What has come in by then is written, though more is under way: one that hangs keeps no other's outcome waiting. */
const LONGEST_WAIT_MS = 500;

/** Writes outcomes in batches, one write at a time. What was not written when a worker dies is attempted again. */
export class OutcomeWriter {
  private waiting: DeliveryOutcome[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly write: (outcomes: readonly DeliveryOutcome[]) => Promise<void>) {}

  add(outcome: DeliveryOutcome): void {
    this.waiting.push(outcome);
    this.timer ??= setTimeout(() => this.flush(), LONGEST_WAIT_MS);
  }

  /** Writes what is left. Rejects when any write has failed. */
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
    // Told by `end`.
    this.writing.catch(() => undefined);
  }
}
