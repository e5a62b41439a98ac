import type { Database } from '@libs/persistence';
import { RuntimesRepository, type Expired } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import type { SupervisorConfig } from '../config.js';
import { askedByNobody, type DeploymentOperations, type Work } from './deployment-operations.js';

const PERIOD_MS = 20_000;

/** Rows that a deployment keeps for a time only. */
export interface Expiring {
  /** Of the cell's deployments, those whose time is over; a few at a time. */
  findExpired(cell: string): Promise<Expired[]>;
  /** False for one that may not go now. The caller holds the deployment. */
  markDeleting(deploymentId: number, id: number): Promise<boolean>;
}

/** What a sweeper works with. */
export interface ExpirySetup {
  database: Database;
  operations: DeploymentOperations;
  config: Pick<SupervisorConfig, 'SUPERVISOR_CELL'>;
}

/** Deletes what is over its time. Several processes may look at once: one of them marks a row, the others pass by. */
export abstract class ExpiryReconciler extends Reconciler {
  private readonly runtimes: RuntimesRepository;

  /** `deletion`: the work that deletes the row of this id. */
  protected constructor(
    name: string,
    private readonly setup: ExpirySetup,
    private readonly rows: Expiring,
    private readonly deletion: (id: number) => Work,
  ) {
    super(name, PERIOD_MS);
    this.runtimes = new RuntimesRepository(setup.database);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const expired of await this.rows.findExpired(this.setup.config.SUPERVISOR_CELL)) {
      if (stopping.aborted) return;
      await this.setup.database.transaction(() => this.delete(expired));
    }
  }

  private async delete({ id, deploymentId }: Expired): Promise<void> {
    // As whoever would begin to use it beside this does, or to delete the deployment, and all that it keeps.
    const status = await this.runtimes.lock(deploymentId);
    const facts = await this.runtimes.facts(deploymentId);
    if (status === null || status === 'deleting' || !facts) return;
    if (!(await this.rows.markDeleting(deploymentId, id))) return;
    await this.setup.operations.open(facts, askedByNobody(), this.deletion(id));
  }
}
