import { Injectable } from '@nestjs/common';
import { CloudError, type Resource } from '@libs/cloud';
import type { NodeId } from '@libs/domain';
import {
  NodeDocumentsRepository,
  NodesRepository,
  type DeploymentFacts,
  type NodeRow,
} from '@libs/persistence/runtime';
import { NodeCertificates } from '../rotate/node-certificates.js';
import { DeploymentResources } from '../deployment-resources.js';
import { NodePlacement } from '../node-placement.js';
import { nextZone, type FullZones } from './next-zone.js';

/** Nodes that move to another zone, because theirs has no capacity. */
export interface ZoneChange {
  zone: string;
  nodes: readonly NodeId[];
  full: FullZones;
}

/** What a node of a new deployment gets: a zone with capacity, addresses and ports, a certificate, and a document. */
@Injectable()
export class ProvisionNodes {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly resources: DeploymentResources,
    readonly documents: NodeDocumentsRepository,
    readonly placement: NodePlacement,
    readonly certificates: NodeCertificates,
  ) {}

  /** Ensures the node. Without capacity in its zone, returns the zone to use next. @throws CloudError when no zone is left */
  async ensure(
    facts: DeploymentFacts,
    node: NodeRow,
    full: FullZones,
    signal: AbortSignal,
  ): Promise<Resource<'node'> | ZoneChange> {
    try {
      return await this.resources.ensureNode(facts, node, signal);
    } catch (error) {
      if (!(error instanceof CloudError) || error.code !== 'capacity') throw error;
      const choice = await this.zoneInstead(facts, node, full, error.message);
      if (choice.zone !== null) return { ...choice, zone: choice.zone };
      // The zone that the operator expects may not be the last one, so the reason names every zone.
      throw new CloudError(error.refusal, reasonsOf(choice.full), { cause: error });
    }
  }

  /** The zone to try after a zone without capacity, with the nodes that move there. Zone null: none is left now. */
  private async zoneInstead(facts: DeploymentFacts, node: NodeRow, before: FullZones, reason: string) {
    const zone = node.zone ?? this.resources.zoneOf(facts, node.ordinal);
    const isMultiAz = facts.availability_mode === 'multi_az';
    const nodes = await this.nodes.list(facts.id);
    const usedZones = nodes
      .filter(({ id, private_ip: ip }) => id !== node.id && ip !== null)
      .map((other) => other.zone ?? '');
    const nowMs = Date.now();
    const full: FullZones = { ...before, [zone]: { at: nowMs, reason } };
    const next = nextZone({
      zone,
      zones: this.resources.zonesOfRegion(facts),
      taken: usedZones,
      isMultiAz,
      full,
      nowMs,
    });
    return { zone: next, nodes: isMultiAz ? [node.id] : nodes.map(({ id }) => id), full };
  }

  /** The addresses are in the order of the nodes. Runs in the transaction of the caller. */
  async setPublicIps(nodes: readonly NodeRow[], addresses: readonly string[]): Promise<void> {
    for (const [index, node] of nodes.entries()) await this.nodes.setPublicIp(node.id, addresses[index] ?? '');
  }
}

/** What the provider said of each zone, each sentence once. */
const reasonsOf = (full: FullZones): string => [...new Set(Object.values(full).map(({ reason }) => reason))].join('; ');
