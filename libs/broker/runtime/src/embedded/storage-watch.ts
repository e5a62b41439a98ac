import { directoryBytes } from '../directory-bytes.js';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/**
 * Looks how much the data directory holds, and adds what was written since: a fast writer must not pass the limit between
 * two looks. Near the limit that is a little too much, until the next look.
 */
export class StorageWatch {
  private readonly limitBytes: number;
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;
  private bytesSince = 0;

  constructor(
    private readonly directory: string,
    limitMib: number | null,
  ) {
    this.limitBytes = limitMib === null ? Infinity : limitMib * MIB;
  }

  /** Resolves after the first look. */
  async start(): Promise<void> {
    if (this.limitBytes === Infinity) return;
    await this.look();
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  get isFull(): boolean {
    return this.bytes + this.bytesSince >= this.limitBytes;
  }

  /** So many bytes are about to be written. */
  add(bytes: number): void {
    this.bytesSince += bytes;
  }

  private async look(): Promise<void> {
    const before = this.bytesSince;
    this.bytes = await directoryBytes(this.directory);
    // What came during the look may not have been seen by it.
    this.bytesSince -= before;
  }
}
