import { Injectable } from '@nestjs/common';
import { Catalog, type Cloud, type Tier } from '@libs/catalog';
import type { LoadBalancerSpec, Resource, ResourceKind, ResourceSpecs, ResourceTags } from '@libs/cloud';
import { deploymentSubnet, subnetWithin, type BrokerDriver, type DeploymentId, type NodeId } from '@libs/domain';
import {
  NodeAgentsRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type NodeRow,
} from '@libs/persistence/runtime';
import { Installation } from '../platform/index.js';
import { CloudResources } from './cloud-resources.js';
import { ingressOf, listenersOf } from './node-listeners.js';
import { networkLayoutOf } from './network/network-layout.js';
import { placeOf, resourceName } from './resource-names.js';

const MIB_PER_GIB = 1024;
const MAX_CACHED_READS = 1_000;
/** MiB of free memory that the local driver needs to start a node. iggy-server alone uses about 100, beside agent and gate. */
const LOCAL_MEMORY_FLOOR_MIB: Record<BrokerDriver, number> = { embedded: 128, nats: 128, iggy: 256 };
/**
 * The row of a deployment is missing while its operation runs. Only a manual change can cause this, and no step can
 * continue.
 */
class DeploymentVanished extends Error {}

/** The cloud resources of a deployment, by deterministic names and tags. Every call is safe to repeat. */
@Injectable()
export class DeploymentResources {
  /** Of this process, for deployments whose nodes were all active. */
  private readonly lastReads = new Map<DeploymentId, { until: number; reason: string | null }>();

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly cloud: CloudResources,
    private readonly catalog: Catalog,
    private readonly installation: Installation,
  ) {}

  async facts(deploymentId: DeploymentId): Promise<DeploymentFacts> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) throw new DeploymentVanished(`deployment ${deploymentId} has no row`);
    return facts;
  }

  async ensureNetwork(facts: DeploymentFacts, signal: AbortSignal): Promise<Resource<'network'>> {
    // Nodes can move to each zone when another has no capacity.
    const spec = {
      ...{ region: facts.region, cidr: cidrOf(facts), zones: this.zonesOfRegion(facts) },
      layout: networkLayoutOf(facts),
    };
    return this.ensure(facts, 'network', this.name(facts, 'network'), spec, this.tags(facts), signal);
  }

  /** The outer network filter for the ports of the nodes. The gate of each node filters exactly and without delay. */
  async ensureFirewall(
    facts: DeploymentFacts,
    nodes: readonly NodeRow[],
    signal: AbortSignal,
  ): Promise<Resource<'firewall'>> {
    const spec = { network: this.name(facts, 'network'), ingress: ingressOf(nodes) };
    return this.ensure(facts, 'firewall', this.name(facts, 'firewall'), spec, this.tags(facts), signal);
  }

  async ensureNode(facts: DeploymentFacts, node: NodeRow, signal: AbortSignal): Promise<Resource<'node'>> {
    const token = await this.agents.renewedToken(node.id);
    const spec = {
      ...this.sizeOf(facts, node),
      node_id: node.id,
      incarnation: node.epoch,
      broker: node.broker_driver,
      region: facts.region,
      zone: node.zone ?? this.zoneOf(facts, node.ordinal),
      image_id: node.image_id,
      network: this.name(facts, 'network'),
      firewall: this.name(facts, 'firewall'),
      ports: Object.values(node.ports),
      token,
    };
    const tags = { ...this.tags(facts), node_id: node.id };
    return this.ensure(facts, 'node', this.name(facts, 'node', node.id), spec, tags, signal);
  }

  /**
   * Returns the nodes as their provider reports them now, in one call. All are of one cloud, and DESCRIBED_AT_ONCE at most. A
   * node that no longer exists is missing in the result.
   */
  async findNodes(
    nodes: readonly { facts: DeploymentFacts; node: NodeRow }[],
    signal: AbortSignal,
  ): Promise<Map<NodeId, Resource<'node'>>> {
    const [first] = nodes;
    if (!first) return new Map();
    const ids = new Map(nodes.map(({ facts, node }) => [this.name(facts, 'node', node.id), node.id]));
    const resources = await this.cloud.describe(placeOf(first.facts), 'node', [...ids.keys()], signal);
    return new Map([...resources].map(([name, resource]) => [ids.get(name) as NodeId, resource]));
  }

  /**
   * Ensures that every node exists and its agent runs. One call looks at all nodes, and only a node that is not active is asked for. Nodes
   * that are all active are not looked at again before the provider has something new. Returns what the provider says about the first node
   * that has a reason. Null: no node has one.
   */
  async ensureNodes(facts: DeploymentFacts, nodes: NodeRow[], signal: AbortSignal): Promise<string | null> {
    const last = this.lastReads.get(facts.id);
    if (last && performance.now() < last.until) return last.reason;
    this.lastReads.delete(facts.id);
    const resources = await this.findNodes(
      nodes.map((node) => ({ facts, node })),
      signal,
    );
    const missing = nodes.filter(({ id }) => resources.get(id)?.state !== 'active');
    for (const node of missing) resources.set(node.id, await this.ensureNode(facts, node, signal));
    const named = nodes.find(({ id }) => resources.get(id)?.reason !== undefined);
    const reason = named === undefined ? null : `${named.name}: ${resources.get(named.id)?.reason}`;
    if (missing.length === 0) this.keep(facts.id, [...resources.values()], reason);
    return reason;
  }

  private keep(id: DeploymentId, nodes: readonly Resource<'node'>[], reason: string | null): void {
    if (this.lastReads.size >= MAX_CACHED_READS) this.lastReads.clear();
    const until = performance.now() + Math.min(...nodes.map(({ poll_after_ms }) => poll_after_ms));
    this.lastReads.set(id, { until, reason });
  }

  async ensureAddresses(facts: DeploymentFacts, nodes: NodeRow[], signal: AbortSignal): Promise<Resource<'address'>[]> {
    const addresses: Resource<'address'>[] = [];
    const together = nodes.map(({ id }) => this.name(facts, 'address', id));
    for (const node of nodes) {
      const spec = { region: facts.region, node: this.name(facts, 'node', node.id), together };
      const tags = { ...this.tags(facts), node_id: node.id };
      addresses.push(await this.ensure(facts, 'address', this.name(facts, 'address', node.id), spec, tags, signal));
    }
    return addresses;
  }

  /**
   * Whether clients in the networks of the customer connect to the nodes themselves, so that only the consumers of endpoint services
   * need a load balancer. The deployment is private, and each of its nodes has an address with the same ports.
   */
  async isReachedDirectly(facts: DeploymentFacts): Promise<boolean> {
    if (facts.public_ip_enabled) return false;
    const network = { kind: 'network' as const, name: this.name(facts, 'network'), at: placeOf(facts) };
    return (await this.cloud.addressesBeside(network)) === 'own';
  }

  async ensureLoadBalancer(
    facts: DeploymentFacts,
    nodes: NodeRow[],
    signal: AbortSignal,
  ): Promise<Resource<'load_balancer'>> {
    const spec: LoadBalancerSpec = {
      region: facts.region,
      network: this.name(facts, 'network'),
      scheme: facts.public_ip_enabled ? 'internet' : 'internal',
      listeners: listenersOf(nodes, ({ id }) => this.name(facts, 'node', id)),
    };
    return this.ensure(facts, 'load_balancer', this.name(facts, 'load_balancer'), spec, this.tags(facts), signal);
  }

  /** Returns the zone of a node: the first zone, or the zones in turn with several zones. */
  zoneOf(facts: DeploymentFacts, ordinal: number): string {
    const zones = this.zones(facts);
    return zones[(ordinal - 1) % zones.length] ?? facts.region;
  }

  zonesOfRegion({ cloud, region }: DeploymentFacts): string[] {
    return this.catalog.findRegion(cloud as Cloud, region)?.zones ?? [region];
  }

  private zones(facts: DeploymentFacts): string[] {
    const zones = this.zonesOfRegion(facts);
    return facts.availability_mode === 'multi_az' ? zones : zones.slice(0, 1);
  }

  private sizeOf(facts: DeploymentFacts, node: NodeRow) {
    const variant = node.variant ?? facts.tier;
    const { vcpus, memory_gib } = this.catalog.tier(variant as Tier);
    return {
      variant,
      cpus: vcpus,
      memory_mib: node.memory_mib ?? memory_gib * MIB_PER_GIB,
      memory_floor_mib: LOCAL_MEMORY_FLOOR_MIB[node.broker_driver],
      storage: { type: node.storage_type, size_gib: node.storage_size },
      is_dedicated: facts.dedicated,
    };
  }

  private ensure<K extends ResourceKind>(
    facts: DeploymentFacts,
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal: AbortSignal,
  ): Promise<Resource<K>> {
    return this.cloud.ensure(placeOf(facts), { kind, name, spec, tags }, signal);
  }

  private name(facts: DeploymentFacts, kind: ResourceKind, ...parts: number[]): string {
    return resourceName(this.installation.name, facts.id, kind, ...parts);
  }

  private tags(facts: DeploymentFacts): ResourceTags {
    return { installation: this.installation.name, deployment_id: facts.id };
  }
}

/** The range of the deployment's network. */
const cidrOf = ({ id, vpc_cidr: outer }: DeploymentFacts): string =>
  outer === null ? deploymentSubnet(id) : subnetWithin(outer, id);
