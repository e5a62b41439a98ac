import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { ProtectionCodesRepository } from '@libs/persistence/organization';
import {
  IdempotencyRepository,
  InstallationRepository,
  OperationEventsRepository,
  RATE_WINDOW,
  RateCountsRepository,
} from '@libs/persistence/platform';
import { StandingTruth } from '@libs/workflow';

const PERIOD_MS = 60_000;
const PARTITIONS_PERIOD_MS = 12 * 3600_000;

/**
 * Forgets answers past their ten minutes, events past their month, codes past their day and counts past their minute, and
 * keeps partitions ahead of the clock. Safe in any number of processes.
 */
@Injectable()
export class Housekeeping extends StandingTruth {
  private readonly idempotency: IdempotencyRepository;
  private readonly installation: InstallationRepository;
  private readonly events: OperationEventsRepository;
  private readonly codes: ProtectionCodesRepository;
  private readonly rates: RateCountsRepository;
  private partitionsMadeAt = 0;

  constructor(database: Database, secrets: Secrets) {
    super('Housekeeping', PERIOD_MS);
    this.idempotency = new IdempotencyRepository(database, secrets);
    this.installation = new InstallationRepository(database);
    this.events = new OperationEventsRepository(database);
    this.codes = new ProtectionCodesRepository(database);
    this.rates = new RateCountsRepository(database, RATE_WINDOW);
  }

  protected async pass(): Promise<void> {
    while ((await this.idempotency.forget()) > 0);
    while ((await this.events.forget()) > 0);
    await this.codes.forget();
    await this.rates.forget();
    if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
    await this.installation.ensurePartitions();
    const dropped = await this.installation.dropExpiredPartitions();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'partitions past their retention dropped');
    this.partitionsMadeAt = Date.now();
  }
}
