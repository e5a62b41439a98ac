import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import { DomainError, type DeploymentId, type DiagnosticSnapshotId, type OperationId } from '@libs/domain';
import { DiagnosticSnapshotsRepository, RuntimesRepository, type DeploymentFacts } from '@libs/persistence/runtime';
import { DeploymentOperations, lockDeployment, requireAlive, TenantPlans, type Asker } from '../platform/index.js';

/** The options of a snapshot, and its author. */
export interface SnapshotRequest extends Asker {
  deploymentId: DeploymentId;
  redactSecrets: boolean;
  includeData: boolean;
}

/** Opens the operation that takes a diagnostic snapshot, with the row of the snapshot. */
@Injectable()
export class SnapshotRequests {
  constructor(
    private readonly snapshots: DiagnosticSnapshotsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly plans: TenantPlans,
    private readonly operations: DeploymentOperations,
  ) {}

  /**
   * Runs in the transaction of the caller. Allowed in every status except `deleting`: a deployment that does not serve
   * needs diagnostics most.
   * @throws DomainError deployment_not_found, state_conflict, plan_limit_reached
   */
  async take(
    request: SnapshotRequest,
  ): Promise<{ snapshot: DiagnosticSnapshotId; name: string; operation: OperationId }> {
    const { deploymentId, authorId, redactSecrets, includeData } = request;
    requireAlive(await lockDeployment(this.runtimes, deploymentId));
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) throw new DomainError('deployment_not_found', 'No such deployment.');
    await this.requireIdle(deploymentId);
    const keptDays = await this.daysWithinPlan(facts);
    const operation = await this.operations.open(facts, request, { type: 'take_snapshot' });
    const { id, name } = await this.snapshots.insert({
      ...{ tenantId: facts.tenant_id, divisionId: facts.division_id, environmentId: facts.environment_id },
      ...{ operationId: operation, deploymentId, deploymentName: facts.name, authorId },
      ...{ redactSecrets, includeData, keptDays },
    });
    return { snapshot: id, name, operation };
  }

  private async requireIdle(deploymentId: DeploymentId): Promise<void> {
    const operation = await this.snapshots.findProcessing(deploymentId);
    if (operation === null) return;
    throw new DomainError('state_conflict', 'Another snapshot of the deployment is being taken.', {
      members: { state: 'processing', operation_id: operation },
    });
  }

  /** Returns the retention of snapshots in the plan, in days. */
  private async daysWithinPlan({ id, tenant_id: tenantId }: DeploymentFacts): Promise<number> {
    const entitlements = await this.plans.of(tenantId);
    requireBelowLimit(entitlements, 'deployment_snapshots_limit', await this.snapshots.count(id));
    return entitlements.limit('snapshot_retention_days');
  }
}
