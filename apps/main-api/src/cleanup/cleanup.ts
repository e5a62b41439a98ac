import { Injectable } from '@nestjs/common';
import {
  EmailTokensRepository,
  InvitationsRepository,
  ProtectionCodesRepository,
  SessionsRepository,
  SignInLocksRepository,
} from '@libs/persistence/organization';
import {
  IdempotencyRepository,
  InstallationRepository,
  OperationEventsRepository,
  RATE_WINDOW,
  RateCountsRepository,
} from '@libs/persistence/platform';
import { Reconciler } from '@libs/workflow';

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
    private readonly codes: ProtectionCodesRepository,
    private readonly rates: RateCountsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly sessions: SessionsRepository,
    private readonly emailTokens: EmailTokensRepository,
    private readonly locks: SignInLocksRepository,
  ) {
    super('CleanupReconciler', PERIOD_MS);
  }

  protected async pass(): Promise<void> {
    while ((await this.idempotency.forget()) > 0);
    while ((await this.events.forget()) > 0);
    await this.codes.forget();
    await this.rates.forget(RATE_WINDOW);
    await this.invitations.expire();
    await this.invitations.forgetCancelled();
    for (const rows of [this.sessions, this.emailTokens, this.locks]) while ((await rows.forget()) > 0);
    if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
    await this.installation.ensurePartitions();
    const dropped = await this.installation.dropExpiredPartitions();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'partitions past their retention dropped');
    this.partitionsMadeAt = Date.now();
  }
}
