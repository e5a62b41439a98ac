import { directoryBytes } from '../directory-bytes.js';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/** Looks how much the data directory holds. What a write adds between two looks may pass the limit; the next is refused. */
export class StorageWatch {
  private readonly limitBytes: number;
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;

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
    return this.bytes >= this.limitBytes;
  }

  private async look(): Promise<void> {
    this.bytes = await directoryBytes(this.directory);
  }
}
