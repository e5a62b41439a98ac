import { Injectable } from '@nestjs/common';
import { DomainError, type DeploymentStatus, type OperationType } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { RuntimesRepository } from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';

/** Opens long work on the deployment that a request points at. */
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
    const { id, cell } = actor.deployment;
    const operation = await this.operations.start({
      type,
      cell,
      tenantId: actor.tenantId,
      divisionId: actor.division.id,
      environmentId: actor.environment.id,
      deploymentId: id,
      authorId: actor.author.user.id,
      apiKeyId: actor.author.apiKey?.id ?? null,
      traceId: actor.traceId,
      memo,
    });
    const runtime = await this.runtimes.find(id);
    if (!runtime) throw new DomainError('deployment_not_found', 'No such deployment.');
    if (!fit.includes(runtime.status))
      throw new DomainError('state_conflict', `It is ${runtime.status}; this needs ${fit.join(' or ')}.`, {
        members: { state: runtime.status },
      });
    return operation;
  }
}
