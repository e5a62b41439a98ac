import { Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { AuditSealsRepository } from '@libs/persistence/ledger';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1_000;

/**
 * Seals audit entries within seconds of their commit. In the background, since a chain inside the writers' transactions
 * would make all writers of a tenant wait for each other. Any number of processes may run it; one at a time does the work.
 */
@Injectable()
export class AuditSealReconciler extends Reconciler {
  private readonly seals: AuditSealsRepository;

  constructor(private readonly database: Database) {
    super('AuditSealReconciler', PERIOD_MS);
    this.seals = new AuditSealsRepository(database);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.database.transaction(() => this.seals.sealSome())) > 0);
  }
}
