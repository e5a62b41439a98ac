import { diskFull, diskSpace, type DiskSpace } from '../server/disk-space.js';

const LOOK_MS = 100;

/**
 * Protects acknowledged messages from a full disk. A server whose write failed goes on with another state than its files, and nobody can
 * read its later messages. So clients can store nothing new when the disk is almost full, and the server ends before a write fails. A
 * server that ends at once leaves files that the next start repairs.
 */
export class DiskGuard {
  private space: DiskSpace | null = null;
  private readonly timer: NodeJS.Timeout;
  private isLooking = false;
  /** Called while clients may store nothing. */
  onFull: () => void = () => undefined;

  constructor(
    private readonly data: string,
    private readonly endServer: () => Promise<void>,
  ) {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
  }

  /** Whether clients may store something new. */
  get isOpen(): boolean {
    return this.space === null || this.space.freeBytes >= this.space.reserveBytes;
  }

  /** Why the node takes no messages. Null: it takes messages. */
  get reason(): string | null {
    return this.space === null || this.isOpen ? null : diskFull(this.space, 'the broker takes no new messages');
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    // Without a data directory there is no server.
    this.space = await diskSpace(this.data).catch(() => null);
    if (!this.isOpen) this.onFull();
    if (this.space && this.space.freeBytes < this.space.criticalBytes) await this.endServer().catch(() => undefined);
    this.isLooking = false;
  }
}
