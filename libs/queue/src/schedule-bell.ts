/** Something that is to be done again and again. */
export interface Beat {
  name: string;
  everyMs: number;
}

/**
 * Rings one of several processes when a beat is due. Like every ring, without authority: it may be lost, doubled or some
 * moments early; whoever is rung looks at the rows.
 */
export abstract class ScheduleBell {
  /** Whether it ever rings. */
  abstract readonly rings: boolean;

  /**
   * Makes `queue` ring for these beats, and for no others any more, and listens to it: `rung` gets the name of one that is
   * due. Never throws, never waits: without an answer of the queue it just does not ring.
   */
  abstract start(queue: string, beats: readonly Beat[], rung: (name: string) => void): void;

  /** Listens no more; the beats stay for other processes. */
  abstract stop(): Promise<void>;
}

/** No queue at all: processes look by themselves. */
export class SilentScheduleBell extends ScheduleBell {
  readonly rings = false;

  start(): void {
    return;
  }

  async stop(): Promise<void> {
    return;
  }
}
