import { createHash } from 'node:crypto';
import type { ResourceAttributes, ResourceKind } from '../cloud-provider.js';
import type { ResourceRecord } from './resource-records.js';

/** Id of a resource, the same for the same kind and name. */
export function localId(kind: ResourceKind, name: string): string {
  return `local-${kind.replace('_', '-')}-${createHash('sha256').update(`${kind} ${name}`).digest('hex').slice(0, 12)}`;
}

type AttributesOf = {
  [K in ResourceKind]: (record: ResourceRecord<K>, bindAddress: string) => ResourceAttributes[K];
};

/** Everything on the local cloud has one address: that of the machine. */
export const LOCAL_ATTRIBUTES: AttributesOf = {
  network: ({ name, spec }) => ({
    cidr: spec.cidr,
    network_id: localId('network', name),
    subnet_ids: spec.zones.map((zone) => `${localId('network', name)}-${zone}`),
  }),
  firewall: ({ spec }) => ({ network: spec.network }),
  node: ({ spec }, bindAddress) => ({
    private_ip: bindAddress,
    public_ip: bindAddress,
    zone: spec.zone,
    image_id: spec.image_id,
  }),
  address: (_record, bindAddress) => ({ ip: bindAddress }),
  load_balancer: (_record, bindAddress) => ({ address: bindAddress }),
  dns_record: ({ spec }) => ({ fqdn: spec.fqdn, target: spec.target }),
  certificate: ({ spec }) => ({ fqdn: spec.fqdn }),
  vpc_peering: ({ name, spec }) => ({
    connection_id: localId('vpc_peering', name),
    status: 'pending_acceptance',
    requester: { vpc_id: localId('network', spec.network), owner_id: '000000000000', region: spec.region, cidr: '' },
  }),
  network_peering: ({ spec }) => ({
    status: 'inactive',
    details: 'Waiting for the peer network to connect.',
    project_id: 'landlord-local',
    network: localId('network', spec.network),
  }),
  endpoint_service: ({ name, spec }) => ({
    service_id: localId('endpoint_service', name),
    service_name: `com.amazonaws.vpce.${spec.region}.${localId('endpoint_service', name)}`,
    consumers: [],
  }),
  service_attachment: ({ name, spec }) => ({
    uri: `projects/landlord-local/regions/${spec.region}/serviceAttachments/${localId('service_attachment', name)}`,
    consumers: [],
  }),
};
