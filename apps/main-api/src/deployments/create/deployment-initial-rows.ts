import { Injectable } from '@nestjs/common';
import { Catalog, memoryMib } from '@libs/catalog';
import type { DeploymentId, NodeId, UserId } from '@libs/domain';
import type { Cell } from '@libs/persistence/organization';
import { InitialRowsRepository, type NewNode } from '@libs/persistence/runtime';
import { featuresOf } from '../../catalog/index.js';
import type { DeploymentRequest } from './managed-rules.js';

/** Inserts the initial rows of the Supervisor's tables. They must be readable before the request is answered. */
@Injectable()
export class DeploymentInitialRows {
  constructor(
    private readonly initialRows: InitialRowsRepository,
    private readonly catalog: Catalog,
  ) {}

  /** The nodes of the request, with reserved ids. */
  nodes(ids: readonly NodeId[], request: DeploymentRequest, cell: Cell): NewNode[] {
    return ids.map((id, index) => newNode(id, index + 1, request, cell, this.catalog));
  }

  /**
   * Inserts the runtime, its credentials, first configuration and nodes. A Free deployment starts with a global access rule,
   * which can be deleted or replaced (C-15.5).
   */
  async insert(
    deploymentId: DeploymentId,
    request: DeploymentRequest,
    { cell, nodes, authorId }: { cell: Cell; nodes: NewNode[]; authorId: UserId },
  ): Promise<void> {
    await this.initialRows.insert(deploymentId, {
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
  }

  /** The limit of the tier, if the drivers of the deployment enforce it. */
  private rateLimitBytes({ shape }: DeploymentRequest, cell: Cell): number | null {
    return featuresOf(cell, shape.cloud).rate_limit === 'real' ? this.catalog.rateLimitBytes(shape.tier) : null;
  }
}

const newNode = (id: NodeId, ordinal: number, { shape }: DeploymentRequest, cell: Cell, catalog: Catalog): NewNode => ({
  id,
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
