import { Injectable } from '@nestjs/common';
import { answer, type ActingCaller, type Answer } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { DeploymentOperations, type AcceptedOperationView } from '../platform/index.js';

/** Starts the rotation of client credentials. */
@Injectable()
export class CredentialRotation {
  constructor(
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError state_conflict */
  async request(actor: ActingCaller): Promise<Answer<AcceptedOperationView>> {
    const operation = await this.operations.start(actor, 'rotate_credentials', ['initialized', 'degraded']);
    await this.ledger.record({
      audit: 'deployment_secrets_rotated',
      author: actor.author,
      place: actor.place,
      data: null,
      traceId: actor.traceId,
    });
    const { id } = actor.deployment;
    return answer({ deployment_id: id, operation_id: operation }, { deployment: id, operation });
  }
}
