import { Injectable } from '@nestjs/common';
import { Catalog, memoryMib } from '@libs/catalog';
import type { DeploymentId, UserId } from '@libs/domain';
import type { Cell } from '@libs/persistence/organization';
import { InitialRowsRepository, type NewNode } from '@libs/persistence/runtime';
import { featuresOf } from '../../catalog/index.js';
import type { CreatedNode } from './created-data.js';
import type { DeploymentRequest } from './managed-rules.js';

/** Inserts the initial rows of the Supervisor's tables. They must be readable before the request is answered. */
@Injectable()
export class DeploymentInitialRows {
  constructor(
    private readonly initialRows: InitialRowsRepository,
    private readonly catalog: Catalog,
  ) {}

  /**
   * Inserts the runtime, its credentials, first configuration and nodes. Returns the nodes. A Free deployment starts
   * with a global access rule, which can be deleted or replaced (C-15.5).
   */
  async give(
    deploymentId: DeploymentId,
    request: DeploymentRequest,
    cell: Cell,
    authorId: UserId,
  ): Promise<CreatedNode[]> {
    const nodes = Array.from({ length: request.quote.nodes }, (_, index) =>
      newNode(index + 1, request, cell, this.catalog),
    );
    const ids = await this.initialRows.insert(deploymentId, {
      cell: cell.cell,
      runtimeVersion: cell.broker_version,
      authorId,
      nodes,
      isOpenToAll: request.shape.tier === 'free',
      hasPublicIp: request.hasPublicIp,
      isEncrypted: request.isEncrypted,
      rateLimitBytes: this.rateLimitBytes(request, cell),
      restoreSource: request.restoreFrom?.deploymentId ?? null,
    });
    return nodes.map((node, index) => ({ ...node, id: ids[index] ?? 0 }));
  }

  /** The limit of the tier, if the drivers of the deployment enforce it. */
  private rateLimitBytes({ shape }: DeploymentRequest, cell: Cell): number | null {
    return featuresOf(cell, shape.cloud).rate_limit === 'real' ? this.catalog.rateLimitBytes(shape.tier) : null;
  }
}

const newNode = (ordinal: number, { shape }: DeploymentRequest, cell: Cell, catalog: Catalog): NewNode => ({
  ordinal,
  name: `node-${ordinal}`,
  role: ordinal === 1 ? 'leader' : 'follower',
  broker_driver: cell.broker_driver,
  broker_version: cell.broker_version,
  image_id: `landlord-${cell.broker_driver}-${cell.broker_version}`,
  storage_type: shape.storage.type,
  storage_size: shape.storage.size,
  variant: shape.tier,
  memory_mib: memoryMib(catalog, shape.tier),
});
