import type {
  AccountVerdict,
  CloudProvider,
  InventoryTags,
  Resource,
  ResourceAttributes,
  ResourceKind,
  ResourceSpecs,
  ResourceTags,
} from '@libs/cloud';

/** A cloud in memory: idempotent by name, resources active at the second look, everything countable. */
export class FakeCloud implements CloudProvider {
  readonly driver = 'local';
  readonly resources = new Map<string, Resource>();
  /** Every creation that made something new: twice the same name is a bug of the driver's caller, or of ours. */
  readonly creations: string[] = [];

  async ensure<K extends ResourceKind>(
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
  ): Promise<Resource<K>> {
    const known = this.resources.get(name) as Resource<K> | undefined;
    if (known) {
      const active: Resource<K> = { ...known, state: 'active' };
      this.resources.set(name, active);
      return active;
    }
    this.creations.push(name);
    const attributes = attributesOf(kind, spec);
    const resource: Resource<K> = {
      kind,
      name,
      id: `fake-${name}`,
      state: kind === 'node' ? 'active' : 'pending',
      tags,
      attributes,
    };
    this.resources.set(name, resource);
    return resource;
  }

  async describe<K extends ResourceKind>(_kind: K, name: string): Promise<Resource<K> | null> {
    return (this.resources.get(name) as Resource<K> | undefined) ?? null;
  }

  async destroy(_kind: ResourceKind, name: string): Promise<void> {
    this.resources.delete(name);
  }

  async validateAccount(): Promise<AccountVerdict> {
    return { error: null, missing_permissions: [] };
  }

  async inventory({ deployment_id }: InventoryTags): Promise<Resource[]> {
    const all = [...this.resources.values()];
    return all.filter(({ tags }) => deployment_id === undefined || tags.deployment_id === deployment_id);
  }
}

function attributesOf<K extends ResourceKind>(kind: K, spec: ResourceSpecs[K]): ResourceAttributes[K] {
  const address = '127.0.0.1';
  const all: ResourceAttributes = {
    network: { cidr: '10.0.0.0/24', network_id: 'fake-network', subnet_ids: ['fake-subnet'] },
    firewall: { network: 'fake-network' },
    node: { private_ip: address, public_ip: address, zone: 'fake-a', image_id: 'fake-image' },
    address: { ip: address },
    load_balancer: { address },
    dns_record: { fqdn: '', target: '', ...(kind === 'dns_record' && (spec as ResourceSpecs['dns_record'])) },
    certificate: { fqdn: '' },
    vpc_peering: {
      connection_id: 'pcx-fake',
      status: 'pending_acceptance',
      requester: { vpc_id: 'vpc-fake', owner_id: '000000000000', region: 'us-east-1', cidr: '10.0.0.0/24' },
    },
    network_peering: { status: 'inactive', details: 'fake', project_id: 'fake-project', network: 'fake-network' },
    endpoint_service: { service_id: 'vpce-svc-fake', service_name: 'com.amazonaws.vpce.fake', consumers: [] },
    service_attachment: { uri: 'projects/fake/regions/fake/serviceAttachments/fake', consumers: [] },
  };
  return all[kind];
}
