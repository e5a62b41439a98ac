import type { AccountVerdict, CustomerAccount } from './customer-account.js';

export const RESOURCE_KINDS = [
  'network',
  'firewall',
  'node',
  'address',
  'load_balancer',
  'dns_record',
  'certificate',
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Whose resource it is. Set in the call that creates it, so that nothing ever exists without an owner. */
export interface ResourceTags {
  /** Names the installation of Landlord. */
  installation: string;
  deployment_id: number;
  /** Present on what belongs to one node. */
  node_id?: number;
}

/** Whose resources an inventory lists; without a deployment, those of all. */
export type InventoryTags = Pick<ResourceTags, 'installation'> & Partial<Pick<ResourceTags, 'deployment_id'>>;

/** Peers that may reach a port, in addition to what the node's own gate decides. */
export interface FirewallIngress {
  protocol: 'tcp' | 'udp';
  port: number;
  cidrs: string[];
}

export interface NodeResourceSpec {
  node_id: number;
  region: string;
  zone: string;
  /** The catalog's name of what the node boots from. */
  image_id: string;
  /** Instance type, in the cloud's own words. */
  variant: string;
  storage: { type: string; size_gib: number };
  /** Names of the network and firewall that it joins. */
  network: string;
  firewall: string;
  /** Memory, in MiB, that must be free for the node to be started. */
  memory_floor_mib: number;
  /** Ports the node's processes may listen on; after its destruction they are proven closed. */
  ports: number[];
  /** One-time token for the agent's registration; delivered with the node and kept nowhere else. */
  token: string;
}

/** A peering of AWS that we ask for and the other side accepts. */
export interface VpcPeeringSpec {
  /** Name of our network. */
  network: string;
  region: string;
  peer_vpc_id: string;
  /** Account of the other side: 12 digits. */
  peer_owner_id: string;
  peer_region: string;
  peer_cidr: string;
}

/** Our half of a peering of Google Cloud; the other side makes the other. */
export interface NetworkPeeringSpec {
  /** Name of our network. */
  network: string;
  peer_network: string;
  peer_project_id: string;
  peer_cidr: string;
}

/** Lets others reach the deployment by endpoints in their own VPCs (AWS). */
export interface EndpointServiceSpec {
  /** Name of our load balancer. */
  load_balancer: string;
  region: string;
  acceptance_required: boolean;
  /** ARNs; none: any account may ask. */
  allowed_principals: string[];
}

/** Lets others reach the deployment by Private Service Connect (Google Cloud). */
export interface ServiceAttachmentSpec {
  /** Name of our load balancer. */
  load_balancer: string;
  region: string;
  connection_preference: 'accept_manual' | 'accept_automatic';
  /** Project ids; none: any project may connect. */
  consumer_accept_lists: string[];
  enable_proxy_protocol: boolean;
}

/** What is asked for. Names of other resources refer to resources of the same deployment. */
export interface ResourceSpecs {
  network: { region: string; cidr: string; zones: string[] };
  firewall: { network: string; ingress: FirewallIngress[] };
  node: NodeResourceSpec;
  address: { region: string; node: string | null };
  load_balancer: { region: string; network: string; targets: string[]; ports: number[] };
  dns_record: { fqdn: string; target: string };
  certificate: { fqdn: string };
  vpc_peering: VpcPeeringSpec;
  network_peering: NetworkPeeringSpec;
  endpoint_service: EndpointServiceSpec;
  service_attachment: ServiceAttachmentSpec;
}

/** As EC2 tells them, with `_` for `-`. */
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

/** Somebody who connects to a service of ours. */
export interface ServiceConsumer {
  /** The provider's own id of the connection. */
  connection_id: string;
  /** Account (AWS) or project (Google Cloud). */
  owner: string;
  /** Network of the consumer, as the provider names it; null where it does not tell. */
  network: string | null;
  /** Endpoint or forwarding rule of the consumer. */
  endpoint: string | null;
  status: ConsumerStatus;
}

/** What the provider made of it. */
export interface ResourceAttributes {
  network: { cidr: string; network_id: string; subnet_ids: string[] };
  firewall: { network: string };
  node: { private_ip: string; public_ip: string | null; zone: string; image_id: string };
  address: { ip: string };
  load_balancer: { address: string };
  dns_record: { fqdn: string; target: string };
  certificate: { fqdn: string };
  /**
   * `connection_id`: null until the provider has given one. A peering that was rejected, expired or failed is still described,
   * with the state 'failed'; a repeat of `ensure` answers it as it is, and it can be destroyed.
   */
  vpc_peering: {
    connection_id: string | null;
    status: VpcPeeringStatus;
    requester: { vpc_id: string; owner_id: string; region: string; cidr: string };
  };
  /**
   * `inactive` until the other side has made its half, and again when it removes it. The state of the resource is about our
   * half alone: it is active when that is there. `details`: the provider's own words.
   */
  network_peering: { status: 'inactive' | 'active'; details: string; project_id: string; network: string };
  endpoint_service: { service_id: string; service_name: string; consumers: ServiceConsumer[] };
  service_attachment: { uri: string; consumers: ServiceConsumer[] };
}

export type ResourceState = 'pending' | 'active' | 'deleting' | 'failed';

export interface Resource<K extends ResourceKind = ResourceKind> {
  kind: K;
  /** The name it was ensured by: unique for its kind within the installation. */
  name: string;
  /** The provider's own id. */
  id: string;
  state: ResourceState;
  /** Why it is in this state, when that needs saying. */
  reason?: string;
  tags: ResourceTags;
  attributes: ResourceAttributes[K];
}

/**
 * The few things a workflow needs of a cloud. Every call is one step's external effect and safe to repeat.
 *
 * Rules for a driver:
 * - Names are deterministic and given by the caller. Where the cloud has no unique names, the driver looks for its own
 *   tag (`installation`, `name`) before it creates, and uses the cloud's idempotency token (derived from kind and name)
 *   in the create call, since a look may miss what was created a moment ago.
 * - Tags are part of the create call. Nothing is created first and tagged later.
 * - No call waits for a slow state: `ensure` and `destroy` begin, `describe` tells.
 * - Every failure is a CloudError; an aborted call rejects with the signal's reason and may have had its effect.
 */
export interface CloudProvider {
  /** The name in node records and the clouds list: 'local', 'aws', 'gcp'. */
  readonly driver: string;

  /**
   * Makes the resource exist as specified, and brings what can change in place (ingress, targets) to the specification.
   * Idempotent by (kind, name): a repeat answers the same resource, also after a lost reply. One that is being deleted
   * is answered with state 'deleting' and is not made again until `describe` says null.
   */
  ensure<K extends ResourceKind>(
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>>;

  /** The resource as it is now; null when it does not exist (any more). */
  describe<K extends ResourceKind>(kind: K, name: string, signal?: AbortSignal): Promise<Resource<K> | null>;

  /** Begins the destruction; nothing happens when there is nothing. `describe` answers null once nothing is left. */
  destroy(kind: ResourceKind, name: string, signal?: AbortSignal): Promise<void>;

  /** Everything that carries the tags, in any state: of one deployment, or of the whole installation. */
  inventory(tags: InventoryTags, signal?: AbortSignal): Promise<Resource[]>;

  /**
   * Looks whether the driver can act in the account of a customer, and changes nothing there. What is wrong with the account
   * is the answer; only that the provider cannot be asked is a CloudError.
   */
  validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict>;
}
