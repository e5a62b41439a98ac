import { directoryBytes } from '../../../os/directory-bytes.js';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/**
 * Measures the data directory periodically and adds the bytes written since then, so that a fast writer cannot pass the limit
 * between two measurements. Near the limit the estimate is slightly too high until the next measurement.
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

  /** Resolves after the first measurement. */
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

  /** Counts bytes before they are written. */
  add(bytes: number): void {
    this.bytesSince += bytes;
  }

  private async look(): Promise<void> {
    const before = this.bytesSince;
    this.bytes = await directoryBytes(this.directory);
    // The measurement may not include bytes that were added during it.
    this.bytesSince -= before;
  }
}
