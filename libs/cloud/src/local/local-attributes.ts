import { EVERY_ADDRESS } from '@libs/domain';
import type { ResourceKind } from '../cloud-provider.js';
import type { ResourceAttributes } from '../resource-attributes.js';
import { LOCAL_PROJECT, localAccount, localId } from './local-ids.js';
import { isBegun, networkPeeringState, vpcPeeringStatus } from './local-states.js';
import type { ResourceRecord } from './records/resource-records.js';
import { seenConsumers } from './network/service-consumers.js';

type AttributesOf = {
  [K in ResourceKind]: (record: ResourceRecord<K>, addresses: LocalAddresses, now: number) => ResourceAttributes[K];
};

/** Where local nodes listen, and where clients of another machine reach them. */
export interface LocalAddresses {
  bindAddress: string;
  publicAddress: string;
}

const LOOPBACK = '127.0.0.1';

/** All resources of the local cloud have the addresses of the machine. */
export const LOCAL_ATTRIBUTES: AttributesOf = {
  network: ({ name, spec }) => ({
    cidr: spec.cidr,
    network_id: localId('network', name),
    subnet_ids: spec.zones.map((zone) => `${localId('network', name)}-${zone}`),
  }),
  firewall: ({ spec }) => ({ network: spec.network }),
  node: ({ spec }, { bindAddress, publicAddress }) => ({
    private_ip: bindAddress === EVERY_ADDRESS ? LOOPBACK : bindAddress,
    public_ip: publicAddress,
    zone: spec.zone,
    image_id: spec.image_id,
  }),
  address: (_record, { publicAddress }) => ({ ip: publicAddress }),
  load_balancer: (_record, { publicAddress }) => ({ address: publicAddress }),
  vpc_peering: (record, _addresses, now) => ({
    connection_id: isBegun(record, now) ? localId('vpc_peering', record.name) : null,
    status: vpcPeeringStatus(record, now),
    requester: {
      vpc_id: localId('network', record.spec.network),
      owner_id: localAccount(record.tags.installation),
      region: record.spec.region,
      cidr: record.network_cidr ?? '',
    },
  }),
  network_peering: (record) => ({
    ...networkPeeringState(record),
    project_id: LOCAL_PROJECT,
    network: localId('network', record.spec.network),
  }),
  endpoint_service: (record) => {
    const id = localId('endpoint_service', record.name);
    const service_name = `com.amazonaws.vpce.${record.spec.region}.${id}`;
    return { service_id: id, service_name, consumers: seenConsumers(record) };
  },
  service_attachment: (record) => {
    const place = `projects/${LOCAL_PROJECT}/regions/${record.spec.region}`;
    const uri = `${place}/serviceAttachments/${localId('service_attachment', record.name)}`;
    return { uri, consumers: seenConsumers(record), nat_ranges: [] };
  },
  // The driver refuses these kinds, so they have no records.
  restored_volume: () => ({ volume_id: '', device: '' }),
  snapshot: () => ({ is_taken: false, snapshot_id: '', volume_id: '' }),
};
