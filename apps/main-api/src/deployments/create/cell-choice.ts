import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { CellsRepository, type Cell } from '@libs/persistence/organization';
import type { ActingCaller } from '@libs/http';
import { cellFor } from '../../catalog/index.js';
import type { TenantEntitlement } from '../../tenants/index.js';
import type { DeploymentRequest } from './managed-rules.js';
import { requireDrivers } from './required-drivers.js';
import { RestoreSource } from './restore-source.js';

/** The refusal for a region that no Supervisor serves. */
export const noCell = ({ shape }: DeploymentRequest): DomainError =>
  new DomainError('provider_unavailable', `No Supervisor serves ${shape.cloud} ${shape.region} yet.`);

/** Chooses the Supervisor that runs a new deployment. */
@Injectable()
export class CellChoice {
  constructor(
    private readonly cells: CellsRepository,
    private readonly source: RestoreSource,
  ) {}

  /**
   * Returns the Supervisor that `find` found, if it does what the request asks, and has the backup that the deployment starts with.
   * @throws DomainError provider_unavailable, feature_unavailable, and those of `RestoreSource.require`
   */
  async require(
    actor: ActingCaller,
    entitlements: TenantEntitlement,
    request: DeploymentRequest,
    cell: Cell | null,
  ): Promise<Cell> {
    if (!cell) throw noCell(request);
    requireDrivers(cell, request);
    await this.source.require(actor, entitlements, request, cell);
    return cell;
  }

  /** The Supervisor with the broker of the requested kind. Null when none serves the region. */
  async find({ shape }: DeploymentRequest): Promise<Cell | null> {
    const cell = await this.cells.findForRegion(shape.cloud, shape.region);
    return cell?.cloud_drivers[shape.cloud] ? cellFor(cell, shape.cluster) : null;
  }
}
