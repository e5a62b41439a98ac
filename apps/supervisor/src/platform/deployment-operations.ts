import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type DeploymentId,
  type DeploymentStatus,
  type OperationId,
  type OperationType,
} from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { RuntimesRepository, type DeploymentFacts } from '@libs/persistence/runtime';
import { Operations, type Joined, type OperationRequest } from '@libs/workflow';

/** The facts of a deployment that an operation on it needs. */
export type OperationTarget = Pick<DeploymentFacts, 'id' | 'cell' | 'tenant_id' | 'division_id' | 'environment_id'>;

/** The author of an operation. */
export type Asker = Pick<OperationRequest, 'authorId' | 'apiKeyId' | 'traceId'>;

/** The type of an operation, and the input of its steps. */
export type Work = Pick<OperationRequest, 'type' | 'memo'>;

export const targetOf = ({ deployment, tenantId, division, environment }: ActingCaller): OperationTarget => ({
  ...{ id: deployment.id, cell: deployment.cell },
  ...{ tenant_id: tenantId, division_id: division.id, environment_id: environment.id },
});

export const askedBy = ({ author, traceId }: ActingCaller): Asker => ({
  ...{ authorId: author.user.id, apiKeyId: author.apiKey?.id ?? null, traceId },
});

/** For operations that Landlord starts automatically. Each has its own trace. */
export const askedByNobody = (): Asker => ({
  ...{ authorId: null, apiKeyId: null, traceId: randomBytes(16).toString('hex') },
});

/** Opens operations on a deployment. */
@Injectable()
export class DeploymentOperations {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly operations: Operations,
  ) {}

  /**
   * Returns the id of the operation. Reads the status after the operation is open: from then on no other changing
   * operation changes the status.
   * @throws DomainError state_conflict, naming the conflicting operation or the status that is not in `fit`
   */
  async start(
    actor: ActingCaller,
    type: OperationType,
    fit: readonly DeploymentStatus[],
    memo: Record<string, unknown> = {},
  ): Promise<OperationId> {
    const operation = await this.open(targetOf(actor), askedBy(actor), { type, memo });
    const runtime = await this.runtimes.find(actor.deployment.id);
    if (!runtime) throw new DomainError('deployment_not_found', 'No such deployment.');
    if (!fit.includes(runtime.status))
      throw new DomainError(
        'state_conflict',
        `The deployment is \`${runtime.status}\`. This request needs status ${fit.join(' or ')}.`,
        {
          members: { state: runtime.status },
        },
      );
    return operation;
  }

  /** Returns the id of the running operation that does the work of the request, too. Null: there is none. */
  async join(deploymentId: DeploymentId, type: OperationType, work: Joined): Promise<OperationId | null> {
    return this.operations.join(deploymentId, type, work);
  }

  /** Returns the running operation with the same work, or null when there is none. */
  async findSame(deploymentId: DeploymentId, { type, memo = {} }: Work): Promise<OperationId | null> {
    return this.operations.findSame(deploymentId, type, memo);
  }

  /** @throws DomainError state_conflict, naming the running operation of the type */
  async requireNone(deploymentId: DeploymentId, type: OperationType): Promise<void> {
    await this.operations.requireNone(deploymentId, type);
  }

  /**
   * For callers that have a lock on the deployment and have checked its status. Returns the id of the operation.
   * @throws DomainError state_conflict, naming the conflicting operation
   */
  async open(target: OperationTarget, asker: Asker, work: Work): Promise<OperationId> {
    return this.operations.start({
      ...{ cell: target.cell, tenantId: target.tenant_id, divisionId: target.division_id },
      ...{ environmentId: target.environment_id, deploymentId: target.id },
      ...{ authorId: asker.authorId, apiKeyId: asker.apiKeyId, traceId: asker.traceId },
      ...work,
    });
  }
}
