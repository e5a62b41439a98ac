import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type DeploymentStatus, type OperationType } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { RuntimesRepository, type DeploymentFacts } from '@libs/persistence/runtime';
import { Operations, type OperationRequest } from '@libs/workflow';

/** What of a deployment's facts says where an operation on it belongs. */
export type OperationPlace = Pick<DeploymentFacts, 'id' | 'cell' | 'tenant_id' | 'division_id' | 'environment_id'>;

/** In whose name an operation is opened. */
export type Asker = Pick<OperationRequest, 'authorId' | 'apiKeyId' | 'traceId'>;

/** Long work, and what its steps need to know of it. */
export type Work = Pick<OperationRequest, 'type' | 'memo'>;

export const placeOf = ({ deployment, tenantId, division, environment }: ActingCaller): OperationPlace => ({
  ...{ id: deployment.id, cell: deployment.cell },
  ...{ tenant_id: tenantId, division_id: division.id, environment_id: environment.id },
});

export const askedBy = ({ author, traceId }: ActingCaller): Asker => ({
  ...{ authorId: author.user.id, apiKeyId: author.apiKey?.id ?? null, traceId },
});

/** For what the cloud does by itself; each has a trace of its own. */
export const askedByNobody = (): Asker => ({
  ...{ authorId: null, apiKeyId: null, traceId: randomBytes(16).toString('hex') },
});

/** Opens long work on a deployment. */
@Injectable()
export class DeploymentOperations {
  private readonly runtimes: RuntimesRepository;

  constructor(
    database: Database,
    private readonly operations: Operations,
  ) {
    this.runtimes = new RuntimesRepository(database);
  }

  /**
   * Answers the operation's id. The state is read once the operation holds the deployment: from then on no other changing
   * one moves it.
   * @throws DomainError state_conflict, naming the operation in the way or the state that is not among `fit`
   */
  async start(
    actor: ActingCaller,
    type: OperationType,
    fit: readonly DeploymentStatus[],
    memo: Record<string, unknown> = {},
  ): Promise<number> {
    const operation = await this.open(placeOf(actor), askedBy(actor), { type, memo });
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

  /**
   * For whoever holds the deployment and has judged its state. Answers the operation's id.
   * @throws DomainError state_conflict, naming the operation in the way
   */
  async open(place: OperationPlace, asker: Asker, work: Work): Promise<number> {
    return this.operations.start({
      ...{ cell: place.cell, tenantId: place.tenant_id, divisionId: place.division_id },
      ...{ environmentId: place.environment_id, deploymentId: place.id },
      ...{ authorId: asker.authorId, apiKeyId: asker.apiKeyId, traceId: asker.traceId },
      ...work,
    });
  }
}
