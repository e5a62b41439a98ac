import { Injectable } from '@nestjs/common';
import type { Resource, ResourceKind } from '@libs/cloud';
import type { DeploymentId } from '@libs/domain';
import { InstallationRepository } from '@libs/persistence/platform';
import { NodesRepository, type PlacedResource } from '@libs/persistence/runtime';
import { Installation } from '../platform/index.js';
import { CloudResources } from './cloud-resources.js';
import { DeploymentNames } from './deployment-names.js';
import { DeploymentResources } from './deployment-resources.js';
import { placeOf, resourceName } from './resource-names.js';

/**
 * The order of destruction after that of the name: first the connections to the load balancer or network, then the resources in the network,
 * then the network itself. The kinds of one layer are destroyed together.
 */
const DESTRUCTION_LAYERS: ResourceKind[][] = [
  ['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment', 'restored_volume', 'snapshot'],
  ['load_balancer', 'node', 'address'],
  ['firewall'],
  ['network'],
];

/** The reason of a waiting deletion, shown in the operation. */
export const DESTRUCTION_HELD =
  'destruction is on hold after a restore of the database; an operator must run: landlord ops resume-destruction';

/** A resource or a name that still exists. */
export type Left = Pick<Resource, 'poll_after_ms'>;

/** Removes the name and the cloud resources of a deployment. Every call is safe to repeat. */
@Injectable()
export class DeploymentDestruction {
  constructor(
    private readonly installations: InstallationRepository,
    private readonly nodes: NodesRepository,
    private readonly cloud: CloudResources,
    private readonly resources: DeploymentResources,
    private readonly names: DeploymentNames,
    private readonly installation: Installation,
  ) {}

  /** Whether destruction is suspended: the database was restored, and no operator has confirmed it yet. */
  async isHeld(): Promise<boolean> {
    return this.installations.isDestructionHeld();
  }

  /**
   * Starts the destruction of the resources of the first layer that still has some. Returns those of the layer that still
   * exist; none when no layer has any. The name is removed first: it must never point to an address that the cloud gives to
   * somebody else.
   */
  async destroyAll(deploymentId: DeploymentId, signal: AbortSignal): Promise<Left[]> {
    const [rows, names] = await this.allMarkedAbsent(deploymentId);
    const published = await this.names.destroyThese(names, signal);
    if (published.length > 0) return published;
    for (const kinds of DESTRUCTION_LAYERS) {
      const layer = rows.filter(({ kind }) => (kinds as string[]).includes(kind));
      const remaining = await this.cloud.destroyThese(layer, signal);
      if (remaining.length > 0) return remaining;
    }
    return [];
  }

  async count(deploymentId: DeploymentId, signal: AbortSignal): Promise<number> {
    const [rows, names] = await this.allMarkedAbsent(deploymentId);
    return (await this.cloud.existing(rows, signal)).length + (await this.names.existing(names, signal)).length;
  }

  /** Every resource and every name that the deployment can have, and each is to be removed. */
  private async allMarkedAbsent(deploymentId: DeploymentId): Promise<[PlacedResource[], PlacedResource[]]> {
    const facts = await this.resources.facts(deploymentId);
    const ofDeployment = (['network', 'firewall', 'load_balancer'] as const).map((kind) => ({
      kind,
      name: this.name(facts.id, kind),
    }));
    const ofNodes = (await this.nodes.list(facts.id)).flatMap(({ id }) =>
      (['node', 'address'] as const).map((kind) => ({ kind, name: this.name(facts.id, kind, id) })),
    );
    const resources = await this.cloud.markAllAbsent(placeOf(facts), facts.id, [...ofDeployment, ...ofNodes]);
    return [resources, await this.names.markAllAbsent(facts)];
  }

  private name(deploymentId: DeploymentId, kind: ResourceKind, ...parts: number[]): string {
    return resourceName(this.installation.name, deploymentId, kind, ...parts);
  }
}
