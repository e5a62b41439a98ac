import { Injectable } from '@nestjs/common';
import type { Cell } from '@libs/persistence/organization';
import { MachinesRepository } from '@libs/persistence/runtime';
import type { DeploymentRequest } from './managed-rules.js';

const DRIVER = 'machines';

/** Warnings about nodes of one deployment that share a machine, and fail together with it. */
@Injectable()
export class SharedMachines {
  constructor(private readonly machines: MachinesRepository) {}

  /** Before the order. Nodes in several zones never share a machine. */
  async warningsOf(cell: Cell, { shape, quote }: DeploymentRequest): Promise<string[]> {
    const { cloud, region, availabilityMode } = shape;
    if (cell.cloud_drivers[cloud] !== DRIVER || availabilityMode !== 'single_az' || quote.nodes < 2) return [];
    const machines = await this.machines.countInLargestZone(cell.cell, region);
    if (machines >= quote.nodes) return [];
    const have = machines === 1 ? '1 machine' : `${machines} machines`;
    return [`The region has ${have} in a zone for ${quote.nodes} nodes. Nodes on one machine fail together.`];
  }
}

/** After the order. */
export const warningsOfShared = (nodes: number | null): string[] =>
  nodes === null || nodes < 2 ? [] : [`${nodes} nodes of the deployment are on one machine, and fail together.`];
