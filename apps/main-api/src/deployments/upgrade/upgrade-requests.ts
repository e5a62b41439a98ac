import { Injectable } from '@nestjs/common';
import { upgradeData, type DomainError, type UpgradeMemo, type DeploymentId, type OperationId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import type { DeploymentRow } from '@libs/persistence/organization';
import { Operations } from '@libs/workflow';

/** Opens the operation of an upgrade and records its author. */
@Injectable()
export class UpgradeRequests {
  constructor(
    private readonly operations: Operations,
    private readonly ledger: Ledger,
  ) {}

  conflict(deploymentId: DeploymentId): Promise<DomainError> {
    return this.operations.conflict(deploymentId);
  }

  /** @throws DomainError state_conflict during another operation, or for a deployment that will be deleted */
  async requireIdle({ id, deletion_requested_at: deletionRequestedAt }: DeploymentRow): Promise<void> {
    if (deletionRequestedAt !== null) throw await this.operations.conflict(id);
    await this.operations.requireIdle(id);
  }

  /** @throws DomainError state_conflict */
  async start(actor: ActingCaller, row: DeploymentRow, memo: UpgradeMemo): Promise<OperationId> {
    const operation = await this.operations.start({
      type: 'upgrade_deployment',
      cell: row.cell,
      tenantId: actor.tenantId,
      divisionId: row.division_id,
      environmentId: row.environment_id,
      deploymentId: row.id,
      authorId: actor.caller.user.id,
      apiKeyId: actor.caller.key?.id ?? null,
      traceId: actor.traceId,
      memo: { ...memo },
    });
    await this.ledger.record({
      audit: 'deployment_upgraded',
      author: actor.author,
      context: actor.context,
      data: upgradeData(memo.from, memo.to),
      traceId: actor.traceId,
    });
    return operation;
  }
}
