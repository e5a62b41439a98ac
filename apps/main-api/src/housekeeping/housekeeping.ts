import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { IdempotencyRepository, InstallationRepository, OperationEventsRepository } from '@libs/persistence/platform';
import { StandingTruth } from '@libs/workflow';

const PERIOD_MS = 60_000;
const PARTITIONS_PERIOD_MS = 12 * 3600_000;

/** Forgets answers past their ten minutes and events past their month, and keeps partitions ahead of the clock. Safe in any number of processes. */
@Injectable()
export class Housekeeping extends StandingTruth {
  private readonly idempotency: IdempotencyRepository;
  private readonly installation: InstallationRepository;
  private readonly events: OperationEventsRepository;
  private partitionsMadeAt = 0;

  constructor(database: Database, secrets: Secrets) {
    super('Housekeeping', PERIOD_MS);
    this.idempotency = new IdempotencyRepository(database, secrets);
    this.installation = new InstallationRepository(database);
    this.events = new OperationEventsRepository(database);
  }

  protected async pass(): Promise<void> {
    while ((await this.idempotency.forget()) > 0);
    while ((await this.events.forget()) > 0);
    if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
    await this.installation.ensurePartitions();
    this.partitionsMadeAt = Date.now();
  }
}
