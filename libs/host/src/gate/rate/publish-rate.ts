/** A connection that waits for the right to pass bytes. */
export interface RateTurn {
  /** Number of bytes that wait. Greater than 0. */
  readonly waitingBytes: number;
  /** Passes exactly this many of the bytes. */
  pass(bytes: number): void;
}

/** The time. A test replaces it. */
export interface RateClock {
  nowMs(): number;
  after(ms: number, work: () => void): void;
}

/** Bytes that one connection passes before the next connection has its turn. */
const STEP_BYTES = 4 * 1024;
/** The bucket stores the rate of this time, in seconds. So a deployment that was idle has a burst of this time. */
const BURST_SECONDS = 0.25;

const REAL_TIME: RateClock = {
  nowMs: () => performance.now(),
  after: (ms, work) => void setTimeout(work, ms),
};

/**
 * A token bucket for the packets with messages of all connections of a gate. Connections take turns in small steps, so that each of
 * them makes progress: a client waits for its share, never for the whole packet of another client.
 */
export class PublishRate {
  /** In the order of the turns. */
  private readonly turns = new Set<RateTurn>();
  private readonly burstBytes: number;
  private readonly stepBytes: number;
  private storedBytes: number;
  private filledAtMs: number;
  private isWaiting = false;
  private isGranting = false;

  constructor(
    private readonly bytesPerSecond: number,
    private readonly clock: RateClock = REAL_TIME,
  ) {
    this.burstBytes = Math.max(1, bytesPerSecond * BURST_SECONDS);
    this.stepBytes = Math.max(1, Math.floor(Math.min(STEP_BYTES, this.burstBytes)));
    this.storedBytes = this.burstBytes;
    this.filledAtMs = clock.nowMs();
  }

  /** Gives turns to the connection until nothing of it waits. */
  enter(turn: RateTurn): void {
    this.turns.add(turn);
    if (!this.isGranting && !this.isWaiting) this.grant();
  }

  /** Withdraws a connection that was closed. */
  leave(turn: RateTurn): void {
    this.turns.delete(turn);
  }

  private grant(): void {
    this.isGranting = true;
    this.fill();
    for (;;) {
      const turn = this.first();
      if (turn === null) break;
      const bytes = Math.min(turn.waitingBytes, this.stepBytes);
      if (bytes > this.storedBytes) {
        this.waitFor(bytes - this.storedBytes);
        break;
      }
      this.storedBytes -= bytes;
      // At the end of the queue before the bytes pass, because passing them may close the connection.
      this.turns.delete(turn);
      if (turn.waitingBytes > bytes) this.turns.add(turn);
      turn.pass(bytes);
    }
    this.isGranting = false;
  }

  private first(): RateTurn | null {
    for (const turn of this.turns) return turn;
    return null;
  }

  private waitFor(missingBytes: number): void {
    this.isWaiting = true;
    this.clock.after(Math.max(1, Math.ceil((missingBytes / this.bytesPerSecond) * 1000)), () => {
      this.isWaiting = false;
      this.grant();
    });
  }

  private fill(): void {
    const nowMs = this.clock.nowMs();
    const earned = ((nowMs - this.filledAtMs) / 1000) * this.bytesPerSecond;
    this.storedBytes = Math.min(this.burstBytes, this.storedBytes + earned);
    this.filledAtMs = nowMs;
  }
}
