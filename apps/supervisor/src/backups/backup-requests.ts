import { Injectable } from '@nestjs/common';
import { requireFeature, requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  validationFailed,
  type DeploymentId,
  type NodeId,
  type BackupId,
  type OperationId,
} from '@libs/domain';
import {
  BackupsRepository,
  NodesRepository,
  RuntimesRepository,
  type BackupType,
  type DeploymentFacts,
} from '@libs/persistence/runtime';
import { DeploymentOperations, lockDeployment, TenantPlans, type Asker } from '../platform/index.js';
import { requireBackups } from './require-backups.js';

/** The request for a backup, and its author. */
export interface BackupRequest extends Asker {
  deploymentId: DeploymentId;
  name: string;
  type: BackupType;
  /** Null: every node. */
  nodeId: NodeId | null;
  remarks: string | null;
  /** Default: the retention of the plan. */
  expiresInDays?: number | undefined;
  /** Whether the schedule of the deployment takes the backup. Default: no. */
  isBySchedule?: boolean;
}

/** Opens the operation that takes a backup, with the row of the backup. */
@Injectable()
export class BackupRequests {
  constructor(
    private readonly backups: BackupsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly plans: TenantPlans,
    private readonly operations: DeploymentOperations,
  ) {}

  /**
   * Runs in the transaction of the caller.
   * @throws DomainError validation_failed, backup_not_supported, feature_unavailable, plan_feature_required, retention_above_maximum,
   * plan_limit_reached, state_conflict
   */
  async take(request: BackupRequest): Promise<{ backup: BackupId; operation: OperationId }> {
    const { deploymentId, authorId, nodeId } = request;
    const status = await lockDeployment(this.runtimes, deploymentId);
    const facts = await this.facts(deploymentId);
    if (nodeId !== null) await this.requireNode(deploymentId, nodeId);
    requireBackups(facts);
    const expiresInDays = await this.allowedDays(facts, request.expiresInDays);
    if (!['initialized', 'degraded', 'stopped', 'upgrading'].includes(status))
      throw new DomainError('state_conflict', `The deployment is \`${status}\`.`, { members: { state: status } });
    await this.operations.requireNone(deploymentId, 'restore_backup');
    await this.requireIdle(deploymentId);
    await this.requireQuota(facts);
    const operation = await this.operations.open(facts, request, { type: 'take_backup' });
    const { name, type: backupType, remarks } = request;
    const backup = await this.backups.insert({
      ...{ deploymentId, operationId: operation, nodeId, name, backupType, remarks, authorId, expiresInDays },
      isBySchedule: request.isBySchedule ?? false,
      region: facts.region,
    });
    return { backup, operation };
  }

  /** Two copies of the same data at once would need twice the space, and the second has no new content. */
  private async requireIdle(deploymentId: DeploymentId): Promise<void> {
    const running = await this.backups.findRunning(deploymentId);
    if (!running) return;
    throw new DomainError('state_conflict', 'Another backup of the deployment is being taken.', {
      members: { state: 'in_progress', operation_id: running.operationId },
    });
  }

  private async requireNode(deploymentId: DeploymentId, nodeId: NodeId): Promise<void> {
    if ((await this.nodes.list(deploymentId)).some(({ id }) => id === nodeId)) return;
    throw validationFailed([{ path: '/node_id', code: 'unknown_node', reason: 'is not a node of the deployment' }]);
  }

  private async allowedDays({ tenant_id: tenantId }: DeploymentFacts, days: number | undefined): Promise<number> {
    const entitlements = await this.plans.of(tenantId);
    requireFeature(entitlements, 'backup_enabled');
    const maximum = entitlements.limit('backup_retention_days');
    if (days !== undefined && days > maximum)
      throw new DomainError('retention_above_maximum', `The plan keeps backups for at most ${maximum} days.`, {
        members: { maximum },
      });
    return days ?? maximum;
  }

  private async requireQuota({ id, tenant_id: tenantId, region }: DeploymentFacts): Promise<void> {
    const entitlements = await this.plans.of(tenantId);
    requireBelowLimit(entitlements, 'deployment_backups_limit', await this.backups.count(id));
    const others = (await this.backups.regions(tenantId)).filter((other) => other !== region);
    requireBelowLimit(entitlements, 'backup_regions_limit', others.length);
  }

  private async facts(deploymentId: DeploymentId): Promise<DeploymentFacts> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) throw new DomainError('deployment_not_found', 'No such deployment.');
    return facts;
  }
}
