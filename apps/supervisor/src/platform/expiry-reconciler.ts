import type { DeploymentId } from '@libs/domain';
import type { Database } from '@libs/persistence';
import type { Expired, RuntimesRepository } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import type { SupervisorConfig } from '../config.js';
import { askedByNobody, type DeploymentOperations, type Work } from './deployment-operations.js';

const PERIOD_MS = 20_000;

/** Rows of a deployment that expire. */
export interface Expiring<Id extends number> {
  /** Returns expired rows of the cell's deployments, a few at a time. */
  findExpired(cell: string): Promise<Expired<Id>[]>;
  /** Returns false for a row that may not be deleted now. The caller has a lock on the deployment. */
  markDeleting(deploymentId: DeploymentId, id: Id): Promise<boolean>;
}

/** The dependencies of the job. */
export interface ExpiryDependencies {
  database: Database;
  operations: DeploymentOperations;
  runtimes: RuntimesRepository;
  config: Pick<SupervisorConfig, 'SUPERVISOR_CELL'>;
}

/** Deletes expired rows. Several processes may look at once: one of them marks a row, the others skip it. */
export abstract class ExpiryReconciler<Id extends number> extends Reconciler {
  /** `deletion` returns the work that deletes the row with this id. */
  protected constructor(
    name: string,
    private readonly dependencies: ExpiryDependencies,
    private readonly rows: Expiring<Id>,
    private readonly deletion: (id: Id) => Work,
  ) {
    super(name, PERIOD_MS);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const expired of await this.rows.findExpired(this.dependencies.config.SUPERVISOR_CELL)) {
      if (stopping.aborted) return;
      await this.dependencies.database.transaction(() => this.delete(expired));
    }
  }

  private async delete({ id, deploymentId }: Expired<Id>): Promise<void> {
    // Takes the same lock as a request that uses the row, or that deletes the deployment with all its rows.
    const { runtimes } = this.dependencies;
    const status = await runtimes.findStatusForUpdate(deploymentId);
    const facts = await runtimes.facts(deploymentId);
    if (status === null || status === 'deleting' || !facts) return;
    if (!(await this.rows.markDeleting(deploymentId, id))) return;
    await this.dependencies.operations.open(facts, askedByNobody(), this.deletion(id));
  }
}
