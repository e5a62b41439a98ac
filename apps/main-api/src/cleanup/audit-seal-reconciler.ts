import { Injectable } from '@nestjs/common';
import { Database, Notifications } from '@libs/persistence';
import { AuditSealsRepository } from '@libs/persistence/ledger';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1_000;
/** Entries without an event for channels announce nothing. */
const QUIET_MS = 5_000;

/**
 * Seals audit entries in the background: about one second after the commit of an entry with an event, and at most six
 * seconds after the commit of any other entry. A chain inside the writers' transactions would serialize all writers of a
 * tenant. Any number of processes may run it; one at a time does the work.
 */
@Injectable()
export class AuditSealReconciler extends Reconciler {
  constructor(
    private readonly database: Database,
    private readonly seals: AuditSealsRepository,
    private readonly notifications: Notifications,
  ) {
    super('AuditSealReconciler', PERIOD_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.untilStop(this.notifications.on('landlord_outbox', () => this.soon()));
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    let passes = 0;
    while (!stopping.aborted && (await this.database.transaction(() => this.seals.sealSome())) > 0) passes += 1;
    return passes > 0 ? PERIOD_MS : QUIET_MS;
  }
}
