import { Injectable } from '@nestjs/common';
import {
  IdempotencyRepository,
  InstallationRepository,
  OperationEventsRepository,
  RATE_WINDOW,
  RateCountsRepository,
} from '@libs/persistence/platform';
import { Reconciler } from '@libs/workflow';
import { AccountCleanup } from './account-cleanup.js';

const PERIOD_MS = 60_000;
const PARTITIONS_PERIOD_MS = 12 * 3600_000;

/**
 * Deletes expired rows: stored answers after ten minutes, events after a month, codes after a day, rate counts after a
 * minute, and expired sessions, links and locks. Marks expired invitations and creates partitions in advance. Safe in
 * any number of processes.
 */
@Injectable()
export class CleanupReconciler extends Reconciler {
  private partitionsMadeAt = 0;

  constructor(
    private readonly idempotency: IdempotencyRepository,
    private readonly installation: InstallationRepository,
    private readonly events: OperationEventsRepository,
    private readonly rates: RateCountsRepository,
    private readonly accounts: AccountCleanup,
  ) {
    super('CleanupReconciler', PERIOD_MS);
  }

  protected async pass(): Promise<void> {
    while ((await this.idempotency.forget()) > 0);
    while ((await this.events.forget()) > 0);
    await this.rates.forget(RATE_WINDOW);
    await this.accounts.run();
    if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
    await this.installation.ensurePartitions();
    const dropped = await this.installation.dropExpiredPartitions();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'partitions past their retention dropped');
    this.partitionsMadeAt = Date.now();
  }
}
