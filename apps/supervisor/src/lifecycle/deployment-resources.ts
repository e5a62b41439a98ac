import { Inject, Injectable } from '@nestjs/common';
import { Catalog, type Cloud } from '@libs/catalog';
import type { Resource, ResourceKind, ResourceSpecs, ResourceTags } from '@libs/cloud';
import {
  deploymentDomain,
  deploymentSubnet,
  subnetWithin,
  type BrokerDriver,
  type DeploymentId,
  type NodeId,
} from '@libs/domain';
import { InstallationRepository } from '@libs/persistence/platform';
import {
  NodeAgentsRepository,
  NodesRepository,
  RuntimesRepository,
  type CloudResource,
  type DeploymentFacts,
  type NodeRow,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { Installation } from '../platform/index.js';
import { CloudResources } from './cloud-resources.js';
import { resourceName } from './resource-names.js';

/** MiB of free memory that the local driver needs to start a node. iggy-server alone uses about 100, beside agent and gate. */
const LOCAL_MEMORY_FLOOR_MIB: Record<BrokerDriver, number> = { embedded: 128, nats: 128, iggy: 256 };
/**
 * The order of destruction: first the connections to the load balancer or network, then the resources in the network,
 * then the network itself. The kinds of one layer are destroyed together.
 */
const DESTRUCTION_LAYERS: ResourceKind[][] = [
  ['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment'],
  ['load_balancer', 'dns_record', 'certificate', 'node', 'address'],
  ['firewall'],
  ['network'],
];

/** The reason of a waiting deletion, shown in the operation. */
export const DESTRUCTION_HELD =
  'destruction is on hold after a restore of the database; an operator must run: landlord ops resume-destruction';

/**
 * The row of a deployment is missing while its operation runs. Only a manual change can cause this, and no step can
 * continue.
 */
class DeploymentVanished extends Error {}

/** The cloud resources of a deployment, by deterministic names and tags. Every call is safe to repeat. */
@Injectable()
export class DeploymentResources {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly installations: InstallationRepository,
    private readonly nodes: NodesRepository,
    private readonly cloud: CloudResources,
    private readonly catalog: Catalog,
    private readonly installation: Installation,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  async facts(deploymentId: DeploymentId): Promise<DeploymentFacts> {
    const facts = await this.runtimes.facts(deploymentId);
    if (!facts) throw new DeploymentVanished(`deployment ${deploymentId} has no row`);
    return facts;
  }

  async ensureNetwork(facts: DeploymentFacts, signal: AbortSignal): Promise<Resource<'network'>> {
    const cidr = facts.vpc_cidr === null ? deploymentSubnet(facts.id) : subnetWithin(facts.vpc_cidr, facts.id);
    const spec = { region: facts.region, cidr, zones: this.zones(facts) };
    return this.ensure(facts, 'network', this.name(facts, 'network'), spec, this.tags(facts), signal);
  }

  /** The outer network filter. The gate of each node filters exactly and without delay. */
  async ensureFirewall(facts: DeploymentFacts, signal: AbortSignal): Promise<Resource<'firewall'>> {
    const spec = { network: this.name(facts, 'network'), ingress: [] };
    return this.ensure(facts, 'firewall', this.name(facts, 'firewall'), spec, this.tags(facts), signal);
  }

  async ensureNode(facts: DeploymentFacts, node: NodeRow, signal: AbortSignal): Promise<Resource<'node'>> {
    const spec = {
      node_id: node.id,
      region: facts.region,
      zone: node.zone ?? this.zoneOf(facts, node.ordinal),
      image_id: node.image_id,
      variant: node.variant ?? facts.tier,
      storage: { type: node.storage_type, size_gib: node.storage_size },
      network: this.name(facts, 'network'),
      firewall: this.name(facts, 'firewall'),
      memory_floor_mib: LOCAL_MEMORY_FLOOR_MIB[node.broker_driver],
      ports: Object.values(node.ports),
      token: await this.agents.renewedToken(node.id),
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
    const found = await this.cloud.describe(first.facts.cloud, 'node', [...ids.keys()], signal);
    return new Map([...found].map(([name, resource]) => [ids.get(name) as NodeId, resource]));
  }

  /** Ensures that every node exists and its agent runs. Restarts dead nodes. */
  async ensureNodes(facts: DeploymentFacts, nodes: NodeRow[], signal: AbortSignal): Promise<void> {
    for (const node of nodes) await this.ensureNode(facts, node, signal);
  }

  async ensureAddresses(facts: DeploymentFacts, nodes: NodeRow[], signal: AbortSignal): Promise<Resource<'address'>[]> {
    const addresses: Resource<'address'>[] = [];
    for (const node of nodes) {
      const spec = { region: facts.region, node: this.name(facts, 'node', node.id) };
      const tags = { ...this.tags(facts), node_id: node.id };
      addresses.push(await this.ensure(facts, 'address', this.name(facts, 'address', node.id), spec, tags, signal));
    }
    return addresses;
  }

  async ensureLoadBalancer(
    facts: DeploymentFacts,
    nodes: NodeRow[],
    signal: AbortSignal,
  ): Promise<Resource<'load_balancer'>> {
    const spec = {
      region: facts.region,
      network: this.name(facts, 'network'),
      targets: nodes.map((node) => this.name(facts, 'node', node.id)),
      ports: nodes.flatMap((node) => Object.values(node.ports)),
    };
    return this.ensure(facts, 'load_balancer', this.name(facts, 'load_balancer'), spec, this.tags(facts), signal);
  }

  /** Returns the record while it is not published. Null: the name is published, or the deployment needs none. */
  async ensureDns(facts: DeploymentFacts, signal: AbortSignal): Promise<Resource<'dns_record'> | null> {
    if (!facts.subdomain_enabled) return null;
    const runtime = await this.runtimes.find(facts.id);
    const spec = { fqdn: this.fqdn(facts), target: runtime?.load_balancer ?? '' };
    const record = await this.ensure(
      facts,
      'dns_record',
      this.name(facts, 'dns_record'),
      spec,
      this.tags(facts),
      signal,
    );
    return record.state === 'active' ? null : record;
  }

  /** Returns the certificate while it does not exist. Null: it exists, or the deployment needs none. */
  async ensureCertificate(facts: DeploymentFacts, signal: AbortSignal): Promise<Resource<'certificate'> | null> {
    if (!facts.subdomain_enabled) return null;
    const name = this.name(facts, 'certificate');
    const certificate = await this.ensure(
      facts,
      'certificate',
      name,
      { fqdn: this.fqdn(facts) },
      this.tags(facts),
      signal,
    );
    return certificate.state === 'active' ? null : certificate;
  }

  /** Whether destruction is suspended: the database was restored, and no operator has confirmed it yet. */
  async isDestructionHeld(): Promise<boolean> {
    return this.installations.isDestructionHeld();
  }

  /**
   * Starts the destruction of the resources of the first layer that still has some. Returns those of the layer that still
   * exist; none when no layer has any.
   */
  async destroyAll(deploymentId: DeploymentId, signal: AbortSignal): Promise<Resource[]> {
    const rows = await this.allMarkedAbsent(deploymentId);
    for (const kinds of DESTRUCTION_LAYERS) {
      const layer = rows.filter(({ kind }) => (kinds as string[]).includes(kind));
      const left = await this.cloud.destroyThese(layer, signal);
      if (left.length > 0) return left;
    }
    return [];
  }

  async count(deploymentId: DeploymentId, signal: AbortSignal): Promise<number> {
    return (await this.cloud.existing(await this.allMarkedAbsent(deploymentId), signal)).length;
  }

  /** Every resource that the deployment can have, and each is to be removed. */
  private async allMarkedAbsent(deploymentId: DeploymentId): Promise<CloudResource[]> {
    const facts = await this.facts(deploymentId);
    const own = (['network', 'firewall', 'load_balancer', 'dns_record', 'certificate'] as const).map((kind) => ({
      kind,
      name: this.name(facts, kind),
    }));
    const ofNodes = (await this.nodes.list(facts.id)).flatMap(({ id }) =>
      (['node', 'address'] as const).map((kind) => ({ kind, name: this.name(facts, kind, id) })),
    );
    return this.cloud.markAllAbsent(facts.cloud, facts.id, [...own, ...ofNodes]);
  }

  /** Returns the zone of a node: the first zone, or the zones in turn with several zones. */
  zoneOf(facts: DeploymentFacts, ordinal: number): string {
    const zones = this.zones(facts);
    return zones[(ordinal - 1) % zones.length] ?? facts.region;
  }

  private zones(facts: DeploymentFacts): string[] {
    const zones = this.catalog.findRegion(facts.cloud as Cloud, facts.region)?.zones ?? [facts.region];
    return facts.availability_mode === 'multi_az' ? zones : zones.slice(0, 1);
  }

  private ensure<K extends ResourceKind>(
    { cloud }: DeploymentFacts,
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal: AbortSignal,
  ): Promise<Resource<K>> {
    return this.cloud.ensure(cloud, { kind, name, spec, tags }, signal);
  }

  private name(facts: DeploymentFacts, kind: ResourceKind, part?: number): string {
    return resourceName(this.installation.name, facts.id, kind, part);
  }

  private tags(facts: DeploymentFacts): ResourceTags {
    return { installation: this.installation.name, deployment_id: facts.id };
  }

  /** Empty for a deployment without a domain name. */
  private fqdn(facts: DeploymentFacts): string {
    return deploymentDomain(facts, this.config.BASE_DOMAIN) ?? '';
  }
}
