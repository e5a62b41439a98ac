import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { IdempotencyRepository, InstallationRepository } from '@libs/persistence/platform';

const PERIOD_MS = 60_000;
const PARTITIONS_PERIOD_MS = 12 * 3600_000;

/** Forgets answers past their ten minutes and keeps partitions ahead of the clock. Safe in any number of processes. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private readonly idempotency: IdempotencyRepository;
  private readonly installation: InstallationRepository;
  private timer: NodeJS.Timeout | undefined;
  private partitionsMadeAt = 0;

  constructor(database: Database, secrets: Secrets) {
    this.idempotency = new IdempotencyRepository(database, secrets);
    this.installation = new InstallationRepository(database);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.pass(), PERIOD_MS).unref();
    void this.pass();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async pass(): Promise<void> {
    try {
      while ((await this.idempotency.forget()) > 0);
      if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
      await this.installation.ensurePartitions();
      this.partitionsMadeAt = Date.now();
    } catch (error) {
      this.logger.warn({ err: error }, 'housekeeping failed, will be tried again');
    }
  }
}
