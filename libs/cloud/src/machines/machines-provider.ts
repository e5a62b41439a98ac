import type { MachineShortage, PlacedNode } from '@libs/domain';
import { CloudError } from '../cloud-error.js';
import { CLOUD_FEATURES } from '../cloud-features.js';
import {
  RESOURCE_KINDS,
  type CloudProvider,
  type InventoryPage,
  type InventoryTags,
  type Place,
  type Resource,
  type ResourceKind,
  type ResourceRef,
  type ResourceTags,
} from '../cloud-provider.js';
import type { AccountVerdict } from '../customer-account.js';
import { requireValidSpec } from '../require-valid-spec.js';
import type { NodeResourceSpec, ResourceSpecs } from '../resource-specs.js';
import { attributesOf, balancerTargets } from './machine-attributes.js';
import type { MachineNodes, MachineRecords, PassiveResource } from './machine-rows.js';

/** A machine answers a new document within moments. */
const POLL_AFTER_MS = 500;
const ON_A_PAGE = 500;
/** The driver cannot play these: they need a provider that connects networks. */
const UNSUPPORTED: readonly ResourceKind[] = [
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
  'restored_volume',
  'snapshot',
];

/**
 * The cloud of hosts that operators join (libs/cloud/README.md). Every call reads or writes rows; the machine
 * agents act on them. The driver replaces no node of a silent machine, because nothing can fence the machine.
 */
export class MachinesProvider implements CloudProvider {
  readonly driver = 'machines';
  readonly features = CLOUD_FEATURES.machines;
  readonly addresses = 'shared';
  readonly hasSnapshots = false;
  readonly hasOneInventory = true;

  constructor(
    private readonly nodes: MachineNodes,
    private readonly records: MachineRecords,
    private readonly installation: string,
  ) {}

  async ensure<K extends ResourceKind>(
    kind: K,
    { name }: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>> {
    signal?.throwIfAborted();
    if (UNSUPPORTED.includes(kind))
      throw new CloudError({ code: 'invalid' }, `machines have no ${kind.replaceAll('_', ' ')}`);
    requireValidSpec(kind, spec);
    if (kind === 'node') return (await this.ensureNode(name, spec as NodeResourceSpec, tags)) as Resource<K>;
    const resource = {
      ...{ kind, name, deployment_id: tags.deployment_id, node_id: tags.node_id ?? null },
      spec: { ...spec } as Record<string, unknown>,
    };
    await this.records.put(resource);
    return (await this.passive([resource]))[0] as Resource<K>;
  }

  async describe<K extends ResourceKind>(
    kind: K,
    refs: readonly ResourceRef[],
    signal?: AbortSignal,
  ): Promise<Map<string, Resource<K>>> {
    signal?.throwIfAborted();
    const names = refs.map(({ name }) => name);
    const resources: Resource[] =
      kind === 'node'
        ? (await this.nodes.nodes(names)).map((node) => this.nodeView(node))
        : await this.passive(await this.records.find(kind, names));
    return new Map(resources.map((resource) => [resource.name, resource as Resource<K>]));
  }

  async destroy(kind: ResourceKind, { name }: ResourceRef, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await (kind === 'node' ? this.nodes.removeNode(name) : this.records.remove(kind, name));
  }

  /** The rows of all places are in one list. `cursor`: the last resource of the page before, as JSON. */
  async inventory(
    _at: Place,
    { installation, deployment_id }: InventoryTags,
    cursor: string | null,
    signal?: AbortSignal,
  ): Promise<InventoryPage> {
    signal?.throwIfAborted();
    if (installation !== this.installation) return { resources: [], next: null };
    const after = cursor === null ? null : (JSON.parse(cursor) as { kind: string; name: string });
    const page = await this.records.page(deployment_id ?? null, after, ON_A_PAGE);
    // The previous release records names and certificates here, also after the migration. They have no effect.
    const resources = page.resources.filter(({ kind }) => (RESOURCE_KINDS as readonly string[]).includes(kind));
    const names = resources.filter(({ kind }) => kind === 'node').map(({ name }) => name);
    const nodes = names.length === 0 ? [] : await this.nodes.nodes(names);
    const records = await this.passive(resources.filter(({ kind }) => kind !== 'node'));
    const next = page.next && JSON.stringify(page.next);
    return { resources: [...records, ...nodes.map((node) => this.nodeView(node))], next };
  }

  /** An account of a customer has no machines. */
  async validateAccount(): Promise<AccountVerdict> {
    return { error: 'machines run no deployments in the accounts of customers', missing_permissions: [] };
  }

  private async ensureNode(name: string, spec: NodeResourceSpec, tags: ResourceTags): Promise<Resource<'node'>> {
    const { node_id, incarnation, broker, region, zone, memory_mib, cpus, ports, is_dedicated } = spec;
    const placed = await this.nodes.place({
      ...{ name, node_id, incarnation, broker, region, zone, memory_mib, cpus, ports, is_dedicated },
      ...{ deployment_id: tags.deployment_id, disk_gib: spec.storage.size_gib },
    });
    if (typeof placed === 'string') throw new CloudError(refusalOf(placed, zone), shortageOf(placed, spec));
    return this.nodeView(placed);
  }

  /** A failed process is no proof that the data are lost, so the node is `pending` until its machine is removed. */
  private nodeView(node: PlacedNode): Resource<'node'> {
    const { name, node_id, deployment_id, hostname, machine_id } = node;
    const isActive = node.state === 'active' && !node.is_silent;
    const reason = node.is_silent ? `the machine ${hostname} does not report` : node.reason;
    return {
      ...{ kind: 'node', name, id: `machine-${machine_id}/node-${node_id}` },
      state: node.intent === 'absent' ? 'deleting' : isActive ? 'active' : 'pending',
      poll_after_ms: POLL_AFTER_MS,
      ...(reason !== null && { reason }),
      tags: { installation: this.installation, deployment_id, node_id },
      attributes: { private_ip: node.address, public_ip: node.address, zone: node.zone, image_id: hostname },
    };
  }

  /** Addresses and balancers have the addresses of the machines of their nodes: one statement for all. */
  private async passive(resources: readonly PassiveResource[]): Promise<Resource[]> {
    const targets = resources.flatMap(({ spec }) => targetsOf(spec));
    const nodes = targets.length === 0 ? [] : await this.nodes.nodes([...new Set(targets)]);
    const addresses = new Map(nodes.map(({ name, address }) => [name, address]));
    return resources.map(({ kind, name, deployment_id, node_id, spec }) => ({
      ...{ kind: kind as ResourceKind, name, id: `machines/${kind}/${name}`, state: 'active' },
      poll_after_ms: POLL_AFTER_MS,
      tags: { installation: this.installation, deployment_id, ...(node_id !== null && { node_id }) },
      attributes: attributesOf(kind as ResourceKind, spec, (target) => addresses.get(target) ?? ''),
    }));
  }
}

/** The names of the nodes that a resource points to. */
function targetsOf(spec: Record<string, unknown>): string[] {
  const { node } = spec as { node?: string | null };
  const [target] = balancerTargets(spec);
  return [node, target].filter((name) => typeof name === 'string');
}

const refusalOf = (what: MachineShortage, zone: string) => ({ code: 'capacity', what, zone }) as const;

function shortageOf(what: MachineShortage, { region, zone, memory_mib, cpus, storage }: NodeResourceSpec): string {
  const place = `zone ${zone} of region ${region}`;
  if (what === 'machines') return `no machine of ${place} accepts nodes; an operator can join one`;
  if (what === 'empty machines') return `no machine of ${place} is free for a dedicated node`;
  const needed = {
    memory: `${memory_mib} MiB of memory`,
    processors: `${cpus} processors`,
    disk: `${storage.size_gib} GiB`,
  };
  return `no machine of ${place} has ${needed[what]} left for the node`;
}
