/**
 * Rings a worker: "look at this operation". A ring carries no authority and may be lost or doubled; the row decides,
 * and the sweeper rings again for whatever is due and silent.
 */
export abstract class WakeUpQueue {
  /** Rings `queue` for an operation, after `delayMs`. Never throws, never waits. */
  abstract wakeUp(queue: string, operationId: number, delayMs?: number): void;

  /** Rings of the queue that nobody has answered yet; 0 without a queue. */
  abstract depth(queue: string): Promise<number>;
}

/** No queue at all: the sweepers find everything by themselves, a little later. */
export class SilentWakeUpQueue extends WakeUpQueue {
  wakeUp(): void {
    return;
  }

  async depth(): Promise<number> {
    return 0;
  }
}
