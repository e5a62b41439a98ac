import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import {
  EmailTokensRepository,
  InvitationsRepository,
  ProtectionCodesRepository,
  SessionsRepository,
  SIGN_IN_LOCK_RULE,
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
  private readonly idempotency: IdempotencyRepository;
  private readonly installation: InstallationRepository;
  private readonly events: OperationEventsRepository;
  private readonly codes: ProtectionCodesRepository;
  private readonly rates: RateCountsRepository;
  private readonly invitations: InvitationsRepository;
  /** Repositories with expired rows of users, deleted in batches. */
  private readonly people: { forget(): Promise<number> }[];
  private partitionsMadeAt = 0;

  constructor(database: Database, secrets: Secrets) {
    super('CleanupReconciler', PERIOD_MS);
    this.idempotency = new IdempotencyRepository(database, secrets);
    this.installation = new InstallationRepository(database);
    this.events = new OperationEventsRepository(database);
    this.codes = new ProtectionCodesRepository(database);
    this.rates = new RateCountsRepository(database, RATE_WINDOW);
    this.invitations = new InvitationsRepository(database);
    this.people = [
      new SessionsRepository(database),
      new EmailTokensRepository(database),
      new SignInLocksRepository(database, SIGN_IN_LOCK_RULE),
    ];
  }

  protected async pass(): Promise<void> {
    while ((await this.idempotency.forget()) > 0);
    while ((await this.events.forget()) > 0);
    await this.codes.forget();
    await this.rates.forget();
    await this.invitations.expire();
    await this.invitations.forgetCancelled();
    for (const rows of this.people) while ((await rows.forget()) > 0);
    if (Date.now() - this.partitionsMadeAt < PARTITIONS_PERIOD_MS) return;
    await this.installation.ensurePartitions();
    const dropped = await this.installation.dropExpiredPartitions();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'partitions past their retention dropped');
    this.partitionsMadeAt = Date.now();
  }
}
