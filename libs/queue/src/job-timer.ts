/** Something that is to be done again and again. */
export interface JobTick {
  name: string;
  everyMs: number;
}

/**
 * Rings one of several processes when a beat is due. Like every ring, without authority: it may be lost, doubled or some
 * moments early; whoever is rung looks at the rows.
 */
export abstract class JobTimer {
  /** Whether it ever rings. */
  abstract readonly wakeUps: boolean;

  /**
   * Makes `queue` ring for these beats, and for no others any more, and listens to it: `rung` gets the name of one that is
   * due. Never throws, never waits: without an answer of the queue it just does not ring.
   */
  abstract start(queue: string, beats: readonly JobTick[], wokenUp: (name: string) => void): void;

  /** Listens no more; the beats stay for other processes. Never waits: the queue may be away. */
  abstract stop(): void;

  /** Leaves the queue. Waits for one that is away: for the end of the process, which waits only so long. */
  abstract close(): Promise<void>;
}

/** No queue at all: processes look by themselves. */
export class SilentJobTimer extends JobTimer {
  readonly wakeUps = false;

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
