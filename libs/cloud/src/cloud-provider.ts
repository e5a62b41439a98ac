import type { AccountVerdict, CustomerAccount } from './customer-account.js';

export const RESOURCE_KINDS = [
  'network',
  'firewall',
  'node',
  'address',
  'load_balancer',
  'dns_record',
  'certificate',
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

/** What is asked for. Names of other resources refer to resources of the same deployment. */
export interface ResourceSpecs {
  network: { region: string; cidr: string; zones: string[] };
  firewall: { network: string; ingress: FirewallIngress[] };
  node: NodeResourceSpec;
  address: { region: string; node: string | null };
  load_balancer: { region: string; network: string; targets: string[]; ports: number[] };
  dns_record: { fqdn: string; target: string };
  certificate: { fqdn: string };
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
