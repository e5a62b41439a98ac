import { Injectable } from '@nestjs/common';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { Written } from '@libs/domain';
import { DEFAULT_OVERLAP_SECONDS, type RotateCredentialsDto } from './dto/rotate-credentials.dto.js';
import { DeploymentOperations, type AcceptedOperationView } from '../platform/index.js';

/** Starts the rotation of client credentials. */
@Injectable()
export class CredentialRotation {
  constructor(
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError state_conflict */
  async request(actor: ActingCaller, dto: RotateCredentialsDto): Promise<Written<AcceptedOperationView>> {
    const overlap = { overlap_seconds: dto.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS };
    const operation = await this.operations.start(actor, 'rotate_credentials', ['initialized', 'degraded'], overlap);
    await this.ledger.record({
      audit: 'deployment_secrets_rotated',
      author: actor.author,
      context: actor.context,
      data: overlap,
      traceId: actor.traceId,
    });
    const { id } = actor.deployment;
    return new Written({ deployment_id: id, operation_id: operation }, { deployment: id, operation });
  }
}
