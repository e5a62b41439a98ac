import type { LocalConnectionKind } from '@libs/cloud';
import type { KeptConnection, PrivateCloud } from './promised.js';

/** Actions of the other side of a peering, in order, with the status of the record after each one. */
export type Answers = readonly (readonly ['accept' | 'reject', string])[];

/** A kind of private connection and its routes. */
interface PrivateWay {
  /** Path below the network of a deployment. */
  path: string;
  /** Header of the answer with the id. */
  header: string;
  /** The body of the request, with a unique number. */
  body: (number: number) => object;
  /** Member of the record with the name at the provider, or with the message of the provider. */
  nameMember: string;
}

/** A network of the other side that is unique in the test. */
const peerNetwork = (number: number): string => `172.${16 + (Math.floor(number / 256) % 16)}.${number % 256}.0/24`;

export const PRIVATE_WAYS: Record<LocalConnectionKind, PrivateWay> = {
  vpc_peering: {
    path: 'aws/vpc_peering',
    header: 'ld-peering',
    body: (number) => ({
      ...{ peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '1'.repeat(12), peer_vpc_cidr: peerNetwork(number) },
    }),
    nameMember: 'peering_connection_id',
  },
  network_peering: {
    path: 'gcp/vpc_peering',
    header: 'ld-peering',
    body: (number) => ({
      ...{ peer_vpc_name: 'theirs', peer_project_id: 'their-project', peer_vpc_cidr: peerNetwork(number) },
    }),
    nameMember: 'state_details',
  },
  endpoint_service: {
    path: 'aws/private_link',
    header: 'ld-endpoint-service',
    body: () => ({}),
    nameMember: 'service_name',
  },
  service_attachment: {
    path: 'gcp/psc',
    header: 'ld-attachment',
    body: () => ({}),
    nameMember: 'service_attachment_uri',
  },
};

/**
 * The connections for each cloud, and the final states of its peerings. On Google Cloud, the other side can only remove
 * its half of a peering that is complete.
 */
export const AT_CLOUD: Record<
  PrivateCloud,
  { peering: LocalConnectionKind; accepted: Answers; rejected: Answers; service: LocalConnectionKind; served: string }
> = {
  aws: {
    ...{ peering: 'vpc_peering', accepted: [['accept', 'active']], rejected: [['reject', 'rejected']] },
    ...{ service: 'endpoint_service', served: 'available' },
  },
  gcp: {
    peering: 'network_peering',
    accepted: [['accept', 'active']],
    rejected: [
      ['accept', 'active'],
      ['reject', 'inactive'],
    ],
    ...{ service: 'service_attachment', served: 'active' },
  },
};

/** Name of the connection at the provider. */
export const nameAtProvider = (
  installation: string,
  deployment: number,
  { kind, id }: Pick<KeptConnection, 'kind' | 'id'>,
) => `ld-${installation}-${deployment}-${kind.replace('_', '-')}-${id}`;

/**
 * The state in a record; `missing` without a record, and `… without its …` until the provider has reported its name.
 */
export function saidBy(record: Record<string, unknown> | undefined, kind: LocalConnectionKind): string {
  if (record === undefined) return 'missing';
  const status = String(record['status'] ?? record['state']);
  const { nameMember: nameMember } = PRIVATE_WAYS[kind];
  return record[nameMember] ? status : `${status} without its ${nameMember}`;
}
