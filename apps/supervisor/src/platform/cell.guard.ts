import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { factsOf } from '@libs/http';
import type { Request } from 'express';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

/** A deployment that another supervisor runs is not found here; whoever may read it is told where it is (fills 7). */
@Injectable()
export class CellGuard implements CanActivate {
  constructor(@Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const deployment = factsOf(context.switchToHttp().getRequest<Request>()).actor?.ancestry.deployment;
    if (!deployment || deployment.cell === this.config.SUPERVISOR_CELL) return true;
    throw new DomainError(
      'deployment_not_found',
      `This deployment is served by ${deployment.supervisorUrl ?? 'another supervisor'}.`,
    );
  }
}
