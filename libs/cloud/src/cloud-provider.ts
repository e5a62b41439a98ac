import type { EndedAgents } from '@libs/host/processes';
import type { CloudFeatures, DeploymentId, NodeId } from '@libs/domain';
import type { AccountVerdict, CustomerAccount } from './customer-account.js';
import type { ResourceAttributes } from './resource-attributes.js';
import type { ResourceSpecs } from './resource-specs.js';

export const RESOURCE_KINDS = [
  'network',
  'firewall',
  'node',
  'address',
  'load_balancer',
  'vpc_peering',
  'network_peering',
  'endpoint_service',
  'service_attachment',
  'restored_volume',
  'snapshot',
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

/** Where a resource is. It never changes. */
export interface Place {
  cloud: string;
  region: string;
  /** The customer's account that contains the resource, with its tenant (placeAccount). Null: the operator's own. */
  account: string | null;
}

/** A resource as its caller names it. */
export interface ResourceRef {
  /** Unique for its kind within the installation. */
  name: string;
  at: Place;
}

/** How many resources one call of `describe` takes. */
export const DESCRIBED_AT_ONCE = 500;

/** Selects the resources of an inventory. Without a deployment, those of all. */
export type InventoryTags = Pick<ResourceTags, 'installation'> & Partial<Pick<ResourceTags, 'deployment_id'>>;

export interface InventoryPage {
  resources: Resource[];
  /** For the next page. Null: this page is the last. */
  next: string | null;
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
  poll_after_ms: number;
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
   * The addresses that nodes listen on. `this_machine`: LOCAL_BIND_ADDRESS, and every port must be free here. `shared`: several
   * nodes share an address of another machine, so their ports differ. `own`: each node has an address, so all have the same ports.
   */
  readonly addresses: 'this_machine' | 'shared' | 'own';
  /** Whether the disks of nodes have snapshots. Otherwise the kinds `snapshot` and `restored_volume` are refused with `invalid`. */
  readonly hasSnapshots: boolean;
  /**
   * The nodes whose agents have ended for certain. Only where the driver sees the processes of its nodes: elsewhere an agent that
   * does not report may be well.
   */
  endedAgents?(): Promise<EndedAgents>;
  /** Whether the inventory of any place lists the resources of all places. */
  readonly hasOneInventory: boolean;

  /**
   * Creates the resource as specified in its place, and updates the parts that can change in place (ingress, listeners). Idempotent by (kind,
   * name): a repetition returns the same resource, also after a lost reply. A resource in deletion is returned with state
   * 'deleting' and is not created again until `describe` no longer has it. A specification that contradicts itself is refused with
   * `invalid` (require-valid-spec.ts), also by a driver that only plays the resource.
   */
  ensure<K extends ResourceKind>(
    kind: K,
    ref: ResourceRef,
    spec: ResourceSpecs[K],
    tags: ResourceTags,
    signal?: AbortSignal,
  ): Promise<Resource<K>>;

  /**
   * The current resources by name, for DESCRIBED_AT_ONCE resources at most. A resource that does not exist is missing in the
   * result. One call costs about as much as one resource of each place.
   */
  describe<K extends ResourceKind>(
    kind: K,
    refs: readonly ResourceRef[],
    signal?: AbortSignal,
  ): Promise<Map<string, Resource<K>>>;

  /**
   * Starts the deletion, or continues it. Does nothing for a missing resource. `describe` no longer has it when nothing is left. A caller
   * repeats the call until then: some parts can be deleted only after others have ended.
   */
  destroy(kind: ResourceKind, ref: ResourceRef, signal?: AbortSignal): Promise<void>;

  /**
   * A page of the resources with the tags in a place, in any state: of one deployment, or of the whole installation. Only for the
   * search for unknown resources: it is slow at real providers, and misses resources that were just created.
   * @param cursor `next` of the page before; null for the first page
   */
  inventory(at: Place, tags: InventoryTags, cursor: string | null, signal?: AbortSignal): Promise<InventoryPage>;

  /**
   * Checks whether the driver can act in the account of a customer, without changing anything there. Problems of the account
   * are part of the result. Rejects with a CloudError only when the provider does not respond.
   */
  validateAccount(account: CustomerAccount, signal?: AbortSignal): Promise<AccountVerdict>;
}
