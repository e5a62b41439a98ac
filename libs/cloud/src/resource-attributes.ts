/** The statuses of EC2, with `_` instead of `-`. */
export const VPC_PEERING_STATUSES = [
  'initiating_request',
  'pending_acceptance',
  'provisioning',
  'active',
  'rejected',
  'expired',
  'failed',
  'deleting',
  'deleted',
] as const;
export type VpcPeeringStatus = (typeof VPC_PEERING_STATUSES)[number];

export const CONSUMER_STATUSES = ['pending', 'accepted', 'rejected', 'closed', 'needs_attention'] as const;
export type ConsumerStatus = (typeof CONSUMER_STATUSES)[number];

/** A consumer that connects to a Landlord service. */
export interface ServiceConsumer {
  /** The provider's id of the connection. */
  connection_id: string;
  /** Account (AWS) or project (Google Cloud). */
  owner: string;
  /** Network of the consumer, with the provider's name. Null when the provider does not report it. */
  network: string | null;
  /** Endpoint or forwarding rule of the consumer. */
  endpoint: string | null;
  status: ConsumerStatus;
}

/** The attributes that the provider assigned. */
export interface ResourceAttributes {
  /** `account_id`: the account that contains the network. Missing at a provider without accounts. */
  network: { cidr: string; network_id: string; subnet_ids: string[]; account_id?: string };
  firewall: { network: string };
  node: { private_ip: string; public_ip: string | null; zone: string; image_id: string };
  address: { ip: string };
  load_balancer: { address: string };
  /**
   * `connection_id`: null until the provider has assigned one. A rejected, expired or failed peering is still described, with
   * the state 'failed'. A repeated `ensure` returns it unchanged, and it can be destroyed.
   */
  vpc_peering: {
    connection_id: string | null;
    status: VpcPeeringStatus;
    requester: { vpc_id: string; owner_id: string; region: string; cidr: string };
  };
  /**
   * `inactive` until the other side has created its half, and again when it removes it. The state of the resource describes
   * only Landlord's half: it is active when that half exists. `details`: the provider's text.
   */
  network_peering: { status: 'inactive' | 'active'; details: string; project_id: string; network: string };
  endpoint_service: { service_id: string; service_name: string; consumers: ServiceConsumer[] };
  /**
   * `nat_ranges`: the networks that connections of consumers come from, in canonical CIDR notation, IPv4 or IPv6. No other connection
   * comes from there, and no other attachment has one of them. Empty while the provider has none, and at a provider without traffic.
   */
  service_attachment: { uri: string; consumers: ServiceConsumer[]; nat_ranges: string[] };
  /** `device`: the path of the disk on the machine, below /dev/disk/by-id. */
  restored_volume: { volume_id: string; device: string };
  /** `is_taken`: the moment of the copy has passed. `volume_id`: the disk that was copied. */
  snapshot: { is_taken: boolean; snapshot_id: string; volume_id: string };
}
