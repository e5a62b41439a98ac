import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ApiKeyId } from '@libs/domain';
import { ApiKeyUsesRepository } from '@libs/persistence/platform';

const FLUSH_MS = 10_000;
/** A use within this time after the last stored one is not written. */
const COARSE_MS = 60_000;
/** More keys than a process sees in a minute. Above it uses are not recorded, so that the memory stays bounded. */
const MAX_KEYS = 100_000;

/** The last use of keys, rounded to the minute. Recorded in memory for each request, and written for all keys at once. */
@Injectable()
export class ApiKeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('ApiKeyUses');
  private readonly pending = new Map<ApiKeyId, number>();
  private written = new Map<ApiKeyId, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly rows: ApiKeyUsesRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  note(keyId: ApiKeyId): void {
    const now = Date.now();
    if (now - (this.written.get(keyId) ?? 0) < COARSE_MS || this.pending.size >= MAX_KEYS) return;
    this.pending.set(keyId, now);
  }

  private async flush(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = new Map(this.pending);
    this.pending.clear();
    try {
      await this.rows.noteUnscoped(uses);
    } catch (error) {
      this.logger.warn({ err: error, keys: uses.size }, 'uses of keys could not be written, will be tried again');
      for (const [key, at] of uses) if (!this.pending.has(key)) this.pending.set(key, at);
      return;
    }
    const old = Date.now() - COARSE_MS;
    this.written = new Map([...this.written, ...uses].filter(([, at]) => at > old));
  }
}
