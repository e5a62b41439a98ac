/** A name and its period. */
export interface JobPeriod {
  name: string;
  everyMs: number;
}

/**
 * Wakes up one of several processes when a schedule is due. Like every wake-up it has no authority: it may be lost,
 * repeated or early. The process that is woken up reads the rows.
 */
export abstract class JobTimer {
  /** Whether it ever sends wake-ups. */
  abstract readonly sendsWakeUps: boolean;

  /**
   * Makes `queue` send wake-ups for these schedules only, and listens to it. `onDue` gets the name of a due schedule.
   * Never throws, never waits: without an answer of the queue there are no wake-ups.
   */
  abstract start(queue: string, periods: readonly JobPeriod[], onDue: (name: string) => void): void;

  /** Stops listening. The schedulers stay for other processes. Never waits: the queue may be unavailable. */
  abstract stop(): void;

  /**
   * Closes the queue. Waits for an unavailable queue, so it is only for the end of the process, which has its own time
   * limit.
   */
  abstract close(): Promise<void>;
}

/** For an app without a queue: processes read the rows periodically. */
export class SilentJobTimer extends JobTimer {
  readonly sendsWakeUps = false;

  start(): void {
    return;
  }

  stop(): void {
    return;
  }

  async close(): Promise<void> {
    return;
  }
}
