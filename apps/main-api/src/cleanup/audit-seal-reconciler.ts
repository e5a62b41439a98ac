import { Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { AuditSealsRepository } from '@libs/persistence/ledger';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1_000;

/**
 * Seals audit entries within seconds after their commit. Runs in the background: a chain inside the writers'
 * transactions would serialize all writers of a tenant. Any number of processes may run it; one at a time does the
 * work.
 */
@Injectable()
export class AuditSealReconciler extends Reconciler {
  constructor(
    private readonly database: Database,
    private readonly seals: AuditSealsRepository,
  ) {
    super('AuditSealReconciler', PERIOD_MS);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.database.transaction(() => this.seals.sealSome())) > 0);
  }
}
