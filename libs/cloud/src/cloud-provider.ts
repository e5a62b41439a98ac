import type { CloudFeatures, DeploymentId, NodeId } from '@libs/domain';
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

/** The owner of a resource. Set in the call that creates the resource, so that no resource exists without an owner. */
export interface ResourceTags {
  /** The name of the Landlord installation. */
  installation: string;
  deployment_id: DeploymentId;
  /** Present on resources that belong to one node. */
  node_id?: NodeId;
}

/** How many resources one call of `describe` takes. */
export const DESCRIBED_AT_ONCE = 500;

/** Selects the resources of an inventory. Without a deployment, those of all. */
export type InventoryTags = Pick<ResourceTags, 'installation'> & Partial<Pick<ResourceTags, 'deployment_id'>>;

/** Peers that may reach a port, in addition to the rules of the node's gate. */
export interface FirewallIngress {
  protocol: 'tcp' | 'udp';
  port: number;
  cidrs: string[];
}

export interface NodeResourceSpec {
  node_id: NodeId;
  region: string;
  zone: string;
  /** The catalog's name of the boot image. */
  image_id: string;
  /** Instance type, with the cloud's name. */
  variant: string;
  storage: { type: string; size_gib: number };
  /** Names of its network and its firewall. */
  network: string;
  firewall: string;
  /** Memory, in MiB, that must be free before the node can start. */
  memory_floor_mib: number;
  /** Ports that the node's processes may listen on. After its deletion the driver verifies that they are closed. */
  ports: number[];
  /** One-time token for the agent's registration. It is delivered with the node and stored nowhere else. */
  token: string;
}

/** A peering of AWS that Landlord requests and the other side accepts. */
export interface VpcPeeringSpec {
  /** Name of Landlord's network. */
  network: string;
  region: string;
  peer_vpc_id: string;
  /** Account of the other side: 12 digits. */
  peer_owner_id: string;
  peer_region: string;
  peer_cidr: string;
}

/** Landlord's half of a peering of Google Cloud. The other side creates the other half. */
export interface NetworkPeeringSpec {
  /** Name of Landlord's network. */
  network: string;
  peer_network: string;
  peer_project_id: string;
  peer_cidr: string;
}

/** Allows consumers to reach the deployment through endpoints in their own VPCs (AWS). */
export interface EndpointServiceSpec {
  /** Name of Landlord's load balancer. */
  load_balancer: string;
  region: string;
  acceptance_required: boolean;
  /** ARNs. Empty: any account may request a connection. */
  allowed_principals: string[];
}

/** Allows consumers to reach the deployment through Private Service Connect (Google Cloud). */
export interface ServiceAttachmentSpec {
  /** Name of Landlord's load balancer. */
  load_balancer: string;
  region: string;
  connection_preference: 'accept_manual' | 'accept_automatic';
  /** Project ids. Empty: any project may connect. */
  consumer_accept_lists: string[];
  enable_proxy_protocol: boolean;
}

/** The requested specifications. Names of other resources refer to resources of the same deployment. */
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
  network: { cidr: string; network_id: string; subnet_ids: string[] };
  firewall: { network: string };
  node: { private_ip: string; public_ip: string | null; zone: string; image_id: string };
  address: { ip: string };
  load_balancer: { address: string };
  dns_record: { fqdn: string; target: string };
  certificate: { fqdn: string };
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
  service_attachment: { uri: string; consumers: ServiceConsumer[] };
}

/**
 * `failed`: the resource has ended and never becomes active. For a node this is the proof that its machine and its disk are
 * lost.
 */
export type ResourceState = 'pending' | 'active' | 'deleting' | 'failed';

export interface Resource<K extends ResourceKind = ResourceKind> {
  kind: K;
  /** The name in `ensure`: unique for its kind within the installation. */
  name: string;
  /** The provider's id. */
  id: string;
  state: ResourceState;
  /** Whole milliseconds, 1 or more, until the state is worth another look. No caller polls more often. */
  look_again_ms: number;
  /** The reason for the state, if any. */
  reason?: string;
  tags: ResourceTags;
  attributes: ResourceAttributes[K];
}

/**
 * The operations of a cloud that workflows need. Every call is the external effect of one step and is safe to repeat.
 *
 * Rules for a driver:
 * - Names are deterministic and come from the caller. Where the cloud has no unique names, the driver searches its own tag
 *   (`installation`, `name`) before it creates. In the create call it uses the cloud's idempotency token (derived from kind and
 *   name), because a search can miss a resource that was just created.
 * - Tags are part of the create call. No resource is created first and tagged later.
 * - No call waits for a slow state: `ensure` and `destroy` start a change, `describe` reports the state.
 * - Every failure is a CloudError. Its code decides whether the operation waits, is held or fails (cloud-error.ts).
 * - An aborted call rejects with the reason of the signal. The call may have had its effect.
 */
export interface CloudProvider {
  /** The name in node records and in the list of clouds: 'local', 'aws', 'gcp'. */
  readonly driver: string;
  /** What the driver does, and what it only plays. */
  readonly features: CloudFeatures;

  /**
   * Creates the resource as specified, and updates the parts that can change in place (ingress, targets). Idempotent by (kind,
   * name): a repetition returns the same resource, also after a lost reply. A resource in deletion is returned with state
   * 'deleting' and is not created again until `describe` no longer has it.
   */
  ensure<K extends ResourceKind>(
    kind: K,
    name: string,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>>;

  /**
   * The current resources by name, for DESCRIBED_AT_ONCE names at most. A resource that does not exist is missing in the
   * result. One call costs about as much as one resource.
   */
  describe<K extends ResourceKind>(
    kind: K,
    names: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, Resource<K>>>;

  /** Starts the deletion. Does nothing for a missing resource. `describe` no longer has it when nothing is left. */
  destroy(kind: ResourceKind, name: string, signal?: AbortSignal): Promise<void>;

  /** All resources with the tags, in any state: of one deployment, or of the whole installation. */
  inventory(tags: InventoryTags, signal?: AbortSignal): Promise<Resource[]>;

  /**
   * Checks whether the driver can act in the account of a customer, without changing anything there. Problems of the account
   * are part of the result. Rejects with a CloudError only when the provider does not respond.
   */
  validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict>;
}
