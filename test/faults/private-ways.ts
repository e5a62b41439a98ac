import type { LocalConnectionKind } from '@libs/cloud';
import type { KeptConnection, PrivateCloud } from './promised.js';

/** What the other side of a peering does, one after the other, and what the record says then. */
export type Answers = readonly (readonly ['accept' | 'reject', string])[];

/** A way in from private networks, as its routes have it. */
interface PrivateWay {
  /** Below the network of a deployment. */
  path: string;
  /** Where the answer has its id. */
  header: string;
  /** What is asked for, with a number that no other has. */
  body: (number: number) => object;
  /** The member of the record that has what it is called at the provider, or what the provider says about it. */
  told: string;
}

/** A network of the other side that nobody else has. */
const peerNetwork = (number: number): string => `172.${16 + (Math.floor(number / 256) % 16)}.${number % 256}.0/24`;

export const PRIVATE_WAYS: Record<LocalConnectionKind, PrivateWay> = {
  vpc_peering: {
    path: 'aws/vpc_peering',
    header: 'ld-peering',
    body: (number) => ({
      ...{ peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '1'.repeat(12), peer_vpc_cidr: peerNetwork(number) },
    }),
    told: 'peering_connection_id',
  },
  network_peering: {
    path: 'gcp/vpc_peering',
    header: 'ld-peering',
    body: (number) => ({
      ...{ peer_vpc_name: 'theirs', peer_project_id: 'their-project', peer_vpc_cidr: peerNetwork(number) },
    }),
    told: 'state_details',
  },
  endpoint_service: { path: 'aws/private_link', header: 'ld-service', body: () => ({}), told: 'service_name' },
  service_attachment: { path: 'gcp/psc', header: 'ld-attachment', body: () => ({}), told: 'service_attachment_uri' },
};

/** What is made at each cloud, and how its peerings end. At Google Cloud only half of what is whole can be removed. */
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

/** What the provider knows it by. */
export const nameAtProvider = (
  installation: string,
  deployment: number,
  { kind, id }: Pick<KeptConnection, 'kind' | 'id'>,
) => `ld-${installation}-${deployment}-${kind.replace('_', '-')}-${id}`;

/** What a record says; `missing` when there is none, and `… without its …` until the provider has told what it is called. */
export function saidBy(record: Record<string, unknown> | undefined, kind: LocalConnectionKind): string {
  if (record === undefined) return 'missing';
  const status = String(record['status'] ?? record['state']);
  const { told } = PRIVATE_WAYS[kind];
  return record[told] ? status : `${status} without its ${told}`;
}
