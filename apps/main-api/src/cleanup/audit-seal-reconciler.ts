import { Injectable } from '@nestjs/common';
import { Database, Notifications } from '@libs/persistence';
import { AuditSealsRepository } from '@libs/persistence/ledger';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1_000;
/** Entries without an event for channels announce nothing. */
const QUIET_MS = 5_000;

/**
 * Seals audit entries within seconds after their commit: at most about one second after an entry with an event, and six
 * after another. Runs in the background: a chain inside the writers'
 * transactions would serialize all writers of a tenant. Any number of processes may run it; one at a time does the
 * work.
 */
@Injectable()
export class AuditSealReconciler extends Reconciler {
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly seals: AuditSealsRepository,
    private readonly notifications: Notifications,
  ) {
    super('AuditSealReconciler', PERIOD_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.stopListening = this.notifications.on('landlord_outbox', () => this.soon());
  }

  override async onModuleDestroy(): Promise<void> {
    this.stopListening?.();
    await super.onModuleDestroy();
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    let passes = 0;
    while (!stopping.aborted && (await this.database.transaction(() => this.seals.sealSome())) > 0) passes += 1;
    return passes > 0 ? PERIOD_MS : QUIET_MS;
  }
}
