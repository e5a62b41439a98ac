import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type Precondition, Written } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { DeploymentsRepository, type DeploymentDetailRow } from '@libs/persistence/organization';
import { Operations } from '@libs/workflow';
import { ProtectionCodes } from '../../protection-codes/index.js';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import type { AcceptedView } from '../dto/deployment.view.js';
import { toDetailView, viewContext } from '../to-deployment-view.js';

/** Starts the deletion of a deployment. It supersedes every other operation of the deployment. */
@Injectable()
export class DeploymentDeletion {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly operations: Operations,
    private readonly ledger: Ledger,
    private readonly codes: ProtectionCodes,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /** @throws DomainError deployment_not_found, precondition_failed, protection_code_required, state_conflict */
  async delete(
    actor: ActingCaller,
    code: string | undefined,
    precondition: Precondition,
  ): Promise<Written<AcceptedView>> {
    const row = await this.deployments.findForUpdate(actor.tenantId, actor.environment.id, actor.deployment.id);
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    precondition.require(toDetailView(row, viewContext(this.config)));
    // Checked before the code: a repeated DELETE has used its code already, and gets the operation to follow.
    if (row.deletion_requested_at !== null) throw await this.operations.conflict(row.id);
    await this.codes.require({ actionType: 'delete_deployment', resourceId: row.id }, row.protected, code);
    const operation = await this.supersede(actor, row);
    await this.deployments.requestDeletion(actor.tenantId, row.id);
    await this.ledger.record({
      audit: 'deployment_deleted',
      author: actor.author,
      context: actor.context,
      data: { name: row.name, code: row.code },
      traceId: actor.traceId,
    });
    const environment = actor.environment.id;
    const body = { environment_id: environment, deployment_id: row.id, operation_id: operation };
    return new Written(body, { environment, deployment: row.id, operation });
  }

  private async supersede(actor: ActingCaller, row: DeploymentDetailRow): Promise<number> {
    const busySeconds = await this.operations.supersede(row.id, 'superseded by the deletion');
    return this.operations.start({
      type: 'delete_deployment',
      cell: row.cell,
      tenantId: actor.tenantId,
      divisionId: row.division_id,
      environmentId: row.environment_id,
      deploymentId: row.id,
      authorId: actor.caller.user.id,
      apiKeyId: actor.caller.key?.id ?? null,
      traceId: actor.traceId,
      memo: { busy_seconds: busySeconds },
    });
  }
}
