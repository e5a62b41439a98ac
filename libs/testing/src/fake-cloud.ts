import {
  CLOUD_FEATURES,
  CloudError,
  requireValidSpec,
  type AccountVerdict,
  type CloudProvider,
  type CloudRefusal,
  type InventoryPage,
  type InventoryTags,
  type Place,
  type Resource,
  type ResourceAttributes,
  type ResourceKind,
  type ResourceRef,
  type ResourceSpecs,
  type ResourceState,
  type ResourceTags,
} from '@libs/cloud';

type PrivateConnectionKind = 'vpc_peering' | 'network_peering' | 'endpoint_service' | 'service_attachment';
/** These leave their first state by themselves, and are deleted later than the call. */
const INDEPENDENT: readonly ResourceKind[] = [
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
  'snapshot',
];

/** A simulated change by the other side or the provider. */
export interface PrivateConnectionChange<K extends PrivateConnectionKind> {
  state?: ResourceState;
  reason?: string;
  attributes?: Partial<ResourceAttributes[K]>;
}

/**
 * A cloud in memory: idempotent by name, resources become active at the second read, and all calls are counted. Private
 * connections (peerings, services, attachments) leave their first state automatically and then wait for the other side. They
 * vanish one read after they were destroyed. So do snapshots.
 */
export class FakeCloud implements CloudProvider {
  readonly features = CLOUD_FEATURES.local;
  addresses: CloudProvider['addresses'] = 'this_machine';
  hasSnapshots = false;
  readonly hasOneInventory = true;
  readonly resources = new Map<string, Resource>();
  private readonly regions = new Map<string, string>();
  /** The last specification of each resource. */
  readonly specs = new Map<string, ResourceSpecs[ResourceKind]>();
  /** Names of all created resources. A name that appears twice is a bug of the caller, or of this class. */
  readonly creations: string[] = [];
  /** The calls that arrived, in order. */
  readonly calls: ('ensure' | 'describe')[] = [];
  /** When new resources are worth another look, in milliseconds. */
  pollAfterMs = 1_000;
  /** Number of reads of private connections and snapshots. */
  looks = 0;
  /** The refusal of the next call for a resource, by its name and the zone of a node. Null: the call is accepted. */
  refuses: (name: string, zone?: string) => CloudRefusal | null = () => null;

  /** @param driver The name in the rows of its resources. */
  constructor(readonly driver = 'local') {}

  async ensure<K extends ResourceKind>(
    kind: K,
    { name, at }: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
  ): Promise<Resource<K>> {
    this.calls.push('ensure');
    this.requireAccepted(name, 'zone' in spec ? spec.zone : undefined);
    requireValidSpec(kind, spec);
    this.specs.set(name, spec);
    const known = this.resources.get(name) as Resource<K> | undefined;
    if (known && INDEPENDENT.includes(kind)) return known;
    if (known) {
      const active: Resource<K> = { ...known, state: 'active' };
      this.resources.set(name, active);
      return active;
    }
    this.creations.push(name);
    const attributes = attributesOf(kind);
    const resource: Resource<K> = {
      kind,
      name,
      id: `fake-${name}`,
      state: kind === 'node' ? 'active' : 'pending',
      poll_after_ms: this.pollAfterMs,
      tags,
      attributes,
    };
    this.resources.set(name, resource);
    this.regions.set(name, at.region);
    return resource;
  }

  async describe<K extends ResourceKind>(kind: K, refs: readonly ResourceRef[]): Promise<Map<string, Resource<K>>> {
    this.calls.push('describe');
    this.requirePlace(refs);
    const names = refs.map(({ name }) => name);
    for (const name of names) this.requireAccepted(name);
    const found = names.flatMap((name) => this.resources.get(name) ?? []) as Resource<K>[];
    for (const resource of INDEPENDENT.includes(kind) ? found : []) {
      this.looks += 1;
      this.moveOn(resource);
    }
    return new Map(found.map((resource) => [resource.name, resource]));
  }

  async destroy(kind: ResourceKind, ref: ResourceRef): Promise<void> {
    const { name } = ref;
    this.requirePlace([ref]);
    this.requireAccepted(name);
    const found = this.resources.get(name);
    if (found && INDEPENDENT.includes(kind)) this.resources.set(name, { ...found, state: 'deleting' });
    else this.resources.delete(name);
  }

  async validateAccount(): Promise<AccountVerdict> {
    return { error: null, missing_permissions: [] };
  }

  async inventory(_at: Place, { deployment_id }: InventoryTags): Promise<InventoryPage> {
    const all = [...this.resources.values()];
    const found = all.filter(({ tags }) => deployment_id === undefined || tags.deployment_id === deployment_id);
    for (const resource of found) if (INDEPENDENT.includes(resource.kind)) this.moveOn(resource);
    return { resources: found, next: null };
  }

  /** Sets the state of a connection, like the other side or the provider. */
  becomes<K extends PrivateConnectionKind>(name: string, { attributes, ...changes }: PrivateConnectionChange<K>): void {
    const known = this.resources.get(name) as Resource<K> | undefined;
    if (!known) throw new TypeError(`there is no ${name}`);
    const changed: Resource<K> = { ...known, ...changes, attributes: { ...known.attributes, ...attributes } };
    this.resources.set(name, changed);
  }

  /** A caller must name the place in which it created the resource. */
  private requirePlace(refs: readonly ResourceRef[]): void {
    for (const { name, at } of refs)
      if ((this.regions.get(name) ?? at.region) !== at.region) throw new TypeError(`${name} is not in ${at.region}`);
  }

  private requireAccepted(name: string, zone?: string): void {
    const refusal = this.refuses(name, zone);
    if (refusal !== null) throw new CloudError(refusal, `the fake cloud refuses: ${refusal.code}`);
  }

  /** Advances the state for the next read. */
  private moveOn({ name, kind, state, attributes }: Resource): void {
    if (state === 'deleting') this.resources.delete(name);
    if (state !== 'pending') return;
    const status = (attributes as ResourceAttributes['vpc_peering']).status;
    const isRequest = kind === 'vpc_peering' && status === 'initiating_request';
    this.becomes<'vpc_peering'>(name, {
      state: 'active',
      ...(isRequest && { attributes: { status: 'pending_acceptance', connection_id: 'pcx-fake' } }),
    });
  }
}

function attributesOf<K extends ResourceKind>(kind: K): ResourceAttributes[K] {
  const address = '127.0.0.1';
  const all: ResourceAttributes = {
    network: { cidr: '10.0.0.0/24', network_id: 'fake-network', subnet_ids: ['fake-subnet'] },
    firewall: { network: 'fake-network' },
    node: { private_ip: address, public_ip: address, zone: 'fake-a', image_id: 'fake-image' },
    address: { ip: address },
    load_balancer: { address },
    vpc_peering: {
      connection_id: null,
      status: 'initiating_request',
      requester: { vpc_id: 'vpc-fake', owner_id: '000000000000', region: 'us-east-1', cidr: '10.0.0.0/24' },
    },
    network_peering: { status: 'inactive', details: 'fake', project_id: 'fake-project', network: 'fake-network' },
    endpoint_service: { service_id: 'vpce-svc-fake', service_name: 'com.amazonaws.vpce.fake', consumers: [] },
    service_attachment: { uri: 'projects/fake/regions/fake/serviceAttachments/fake', consumers: [], nat_ranges: [] },
    restored_volume: { volume_id: 'vol-fake', device: '/dev/disk/by-id/fake' },
    snapshot: { is_taken: true, snapshot_id: 'snap-fake', volume_id: 'vol-fake' },
  };
  return all[kind];
}
