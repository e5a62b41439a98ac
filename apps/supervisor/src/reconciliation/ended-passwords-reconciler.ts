import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { CredentialsRepository, NodeDocumentsRepository } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 20_000;

/**
 * Deletes previous passwords of clients whose time is over, from the database and from the documents of the nodes. The nodes
 * have refused these passwords since that time, by their own clocks.
 */
@Injectable()
export class EndedPasswordsReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialsRepository,
    private readonly documents: NodeDocumentsRepository,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('EndedPasswords', PERIOD_MS);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const id of await this.credentials.findEnded(this.cell)) {
      if (stopping.aborted) return;
      await this.database.transaction(async () => {
        // No request caused the change, so a new trace starts here.
        const traceId = randomBytes(16).toString('hex');
        if (await this.credentials.dropEnded(id)) await this.documents.publishAll(id, traceId);
      });
    }
  }
}
