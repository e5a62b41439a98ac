import type { PublishRate, RateTurn } from './publish-rate.js';
import type { Run } from './publish-runs.js';

/**
 * One connection under a rate. Stores at most one chunk, and passes its bytes in their order: packets with messages at the rate,
 * all others at once. The connection gives the next chunk only when nothing waits.
 */
export class PublishPace implements RateTurn {
  private runs: Run[] = [];
  private chunk: Buffer = Buffer.alloc(0);
  private isClosed = false;

  constructor(
    private readonly rate: PublishRate,
    private readonly onPass: (part: Buffer) => void,
    /** Nothing waits. */
    private readonly onDrained: () => void,
  ) {}

  get waitingBytes(): number {
    return this.runs[0]?.bytes ?? 0;
  }

  /** `runs`: the runs of the chunk, in order. Their lengths add up to the length of the chunk. */
  take(chunk: Buffer, runs: Run[]): void {
    this.chunk = chunk;
    this.runs = runs;
    this.advance();
  }

  pass(bytes: number): void {
    const run = this.runs[0];
    if (run === undefined || this.isClosed) return;
    run.bytes -= bytes;
    if (run.bytes === 0) this.runs.shift();
    this.emit(bytes);
    if (run.bytes === 0) this.advance();
  }

  /** Discards the bytes that wait for the rate. */
  close(): void {
    this.isClosed = true;
    this.runs = [];
    this.rate.leave(this);
  }

  private advance(): void {
    const other = this.runs[0];
    if (other && !other.isPublish) {
      this.runs.shift();
      this.emit(other.bytes);
    }
    if (this.isClosed) return;
    // After a run of other packets comes a run with messages, or nothing.
    if (this.runs.length > 0) this.rate.enter(this);
    else this.onDrained();
  }

  private emit(bytes: number): void {
    const part = this.chunk.subarray(0, bytes);
    this.chunk = this.chunk.subarray(bytes);
    this.onPass(part);
  }
}
