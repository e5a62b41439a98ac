import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { CellsRepository, type Cell } from '@libs/persistence/organization';
import type { DeploymentRequest } from './managed-rules.js';

/** The refusal for a region that no Supervisor serves. */
export const noCell = ({ shape }: DeploymentRequest): DomainError =>
  new DomainError('provider_unavailable', `No Supervisor serves ${shape.cloud} ${shape.region} yet.`);

/** Chooses the Supervisor that runs a new deployment. */
@Injectable()
export class CellChoice {
  constructor(private readonly cells: CellsRepository) {}

  /** @throws DomainError provider_unavailable */
  async forRequest(request: DeploymentRequest): Promise<Cell> {
    const cell = await this.find(request);
    if (cell) return cell;
    throw noCell(request);
  }

  /** Null when no Supervisor serves the region. */
  async find({ shape }: DeploymentRequest): Promise<Cell | null> {
    const cell = await this.cells.findForRegion(shape.cloud, shape.region);
    return cell?.cloud_drivers[shape.cloud] ? cell : null;
  }
}
