import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import { CellsRepository, type Cell, type KnownCell } from '@libs/persistence/organization';
import type { ActingCaller } from '@libs/http';
import { cellFor } from '../../catalog/index.js';
import type { TenantEntitlement } from '../../tenants/index.js';
import type { DeploymentRequest } from './managed-rules.js';
import { requireDrivers } from './required-drivers.js';
import { RestoreSource } from './restore-source.js';

/**
 * Requires a Supervisor that takes the order now.
 * @throws DomainError provider_unavailable
 */
export function requireCell(cell: KnownCell | null, { shape }: DeploymentRequest): KnownCell {
  const region = `${shape.cloud} ${shape.region}`;
  if (!cell) throw new DomainError('provider_unavailable', `No Supervisor serves ${region} yet.`);
  if (cell.is_alive) return cell;
  const detail = `The Supervisor of ${region} is away: its last report is of ${cell.seen_at.toISOString()}.`;
  throw new DomainError('provider_unavailable', detail);
}

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
    candidate: KnownCell | null,
  ): Promise<Cell> {
    const cell = requireCell(candidate, request);
    requireDrivers(cell, request);
    await this.source.require(actor, entitlements, request, cell);
    return cell;
  }

  /** The Supervisor with the broker of the requested kind, which may be away. Null when none has ever served the region. */
  async find({ shape }: DeploymentRequest): Promise<KnownCell | null> {
    const cell = await this.cells.findForRegion(shape.cloud, shape.region);
    return cell?.cloud_drivers[shape.cloud] ? cellFor(cell, shape.cluster) : null;
  }
}
