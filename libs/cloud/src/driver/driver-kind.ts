import type { Resource, ResourceKind, ResourceTags } from '../cloud-provider.js';
import type { ResourceAttributes } from '../resource-attributes.js';
import type { ResourceSpecs } from '../resource-specs.js';
import type { Remembered } from './driver-memory.js';

/** The name of the remembered part with the last report about a resource. */
export const LAST_SEEN = 'last seen';

/** A resource that the cloud shows, with the owner that its tags name. */
export type Observed<K extends ResourceKind> = Omit<Resource<K>, 'poll_after_ms' | 'kind'>;

export interface Page<K extends ResourceKind> {
  observed: Observed<K>[];
  /** Parts that the cloud shows apart. Each stands for its resource if the main part of the resource does not exist. */
  parts?: Observed<K>[];
  next: string | null;
}

/** How a driver treats one kind of resource. `C`: the access to a place. `W`: one call for one resource. */
export interface DriverKind<K extends ResourceKind, C, W> {
  /** Milliseconds until a resource that is not active is worth another look. */
  readonly pollAfterMs: number;

  /** Creates the missing parts and makes the changeable parts as specified. Each call continues where the last one ended. */
  build(work: W, spec: ResourceSpecs[K]): Promise<void>;

  /** What the cloud shows now of these resources, in a constant number of calls. */
  look(clients: C, memories: ReadonlyMap<string, Remembered>): Promise<Map<string, Observed<K>>>;

  /**
   * Searches what is left, records that the deletion has started, and starts it. True: nothing is left.
   */
  remove(work: W, installation: string): Promise<boolean>;

  /**
   * What `look` must know of a resource when the cloud no longer shows it, as JSON, for the part LAST_SEEN of the memory. Null: nothing.
   * Undefined: the cloud shows each resource as long as it exists.
   */
  lastSeen?(observed: Observed<K>): string | null;

  /**
   * Removes what a resource has left at the cloud when it ended by itself, and forgets it. Null: nothing is left. Undefined: such a resource never
   * leaves anything. `look` repeats it until nothing is left.
   */
  leftBehind?(observed: Observed<K>, memory: Remembered | undefined): ((work: W) => Promise<void>) | null;

  /**
   * Whether the main part of a resource is the last one that the cloud deletes. Then `describe` ends the deletion when the cloud no longer
   * shows the part.
   */
  readonly forgetsEnded?: boolean;

  /** The attributes of a resource that the cloud does not show yet. */
  notVisibleYet(): ResourceAttributes[K];

  /**
   * A page of all resources with the tags. An instance that has ended and is still shown is `failed`
   * here, and no resource any more unless the driver remembers it.
   */
  list(clients: C, tags: Partial<ResourceTags> & { installation: string }, cursor: string | null): Promise<Page<K>>;
}

/** The name of a resource, and whose it is. */
export type Owner = Pick<Resource, 'name' | 'tags'>;
