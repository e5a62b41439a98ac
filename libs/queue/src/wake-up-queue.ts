import type { OperationId } from '@libs/domain';

/** A job of the queue. A job of an older release has no `ids` and fails; the sweeper finds its operation. */
export interface WakeUpJob {
  ids: OperationId[];
}

/**
 * Wakes up a worker: "look at this operation". A wake-up has no authority and may be lost or repeated. The row decides,
 * and the sweeper sends another wake-up for a due operation that no worker runs.
 */
export abstract class WakeUpQueue {
  /** Sends a wake-up for an operation to `queue` after `delayMs`. Never throws, never waits. */
  abstract wakeUp(queue: string, operationId: OperationId, delayMs?: number): void;

  /** Returns the number of unprocessed jobs in the queue; 0 without a queue. */
  abstract depth(queue: string): Promise<number>;
}

/** For an app without a queue: the sweepers find all due operations, a little later. */
export class SilentWakeUpQueue extends WakeUpQueue {
  wakeUp(): void {
    return;
  }

  async depth(): Promise<number> {
    return 0;
  }
}
