import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { Admission, type ActingCaller } from '@libs/http';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

/**
 * This Supervisor does not serve deployments of another Supervisor. A caller who may read the deployment gets the
 * address of that Supervisor (C-12.25).
 */
@Injectable()
export class CellAdmission extends Admission {
  constructor(@Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig) {
    super();
  }

  admit({ ancestry: { deployment } }: ActingCaller): void {
    if (!deployment || deployment.cell === this.config.SUPERVISOR_CELL) return;
    const where = deployment.supervisorUrl ?? 'another supervisor';
    throw new DomainError('deployment_not_found', `This deployment is served by ${where}.`);
  }
}
