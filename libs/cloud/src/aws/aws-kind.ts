import type { Resource, ResourceKind, ResourceTags } from '../cloud-provider.js';
import type { ResourceAttributes } from '../resource-attributes.js';
import type { ResourceSpecs } from '../resource-specs.js';
import type { AwsClients } from './aws-clients.js';
import type { Remembered } from './aws-memory.js';
import { ownerOf, type AwsTag } from './aws-names.js';
import type { AwsWork } from './aws-work.js';

/** The name of the remembered part with the last report about a resource. */
export const LAST_SEEN = 'last seen';

/** A resource that AWS shows, with the owner that its tags name. */
export type Shown<K extends ResourceKind> = Omit<Resource<K>, 'look_again_ms' | 'handle' | 'kind'>;

export interface Page<K extends ResourceKind> {
  shown: Shown<K>[];
  /** Parts that AWS shows apart. Each stands for its resource if the main part of the resource does not exist. */
  parts?: Shown<K>[];
  next: string | null;
}

/** How the driver treats one kind of resource. */
export interface AwsKind<K extends ResourceKind> {
  /** Milliseconds until a resource that is not active is worth another look. */
  readonly lookAgainMs: number;

  /** Creates the missing parts and makes the changeable parts as specified. Each call continues where the last one ended. */
  build(work: AwsWork, spec: ResourceSpecs[K]): Promise<void>;

  /** What AWS shows now of these resources, in a constant number of calls. */
  look(clients: AwsClients, known: ReadonlyMap<string, Remembered>): Promise<Map<string, Shown<K>>>;

  /**
   * Searches what is left, records that the deletion has started, and starts it. True: nothing is left.
   */
  remove(work: AwsWork, installation: string): Promise<boolean>;

  /**
   * What `look` must know of a resource when AWS no longer shows it, as JSON, for the part LAST_SEEN of the memory. Null: nothing.
   * Undefined: AWS shows each resource as long as it exists.
   */
  lastSeen?(shown: Shown<K>): string | null;

  /**
   * Removes what a resource has left at AWS when it ended by itself, and forgets it. Null: nothing is left. Undefined: such a resource never
   * leaves anything. `look` repeats it until nothing is left.
   */
  leftBehind?(shown: Shown<K>, known: Remembered | undefined): ((work: AwsWork) => Promise<void>) | null;

  /** The attributes of a resource that AWS does not show yet. */
  unseen(): ResourceAttributes[K];

  /**
   * A page of all resources with the tags. AWS shows an ended instance for an hour: it is `failed` here, and no resource any more
   * unless the driver remembers it.
   */
  list(
    clients: AwsClients,
    tags: Partial<ResourceTags> & { installation: string },
    cursor: string | null,
  ): Promise<Page<K>>;
}

/** A page of resources that AWS lists with their tags. Those without the tags of Landlord are left out. */
export function ownedPage<T extends { Tags?: AwsTag[] | undefined }, K extends ResourceKind>(
  listed: readonly T[],
  nextToken: string | undefined,
  shownOf: (owner: Owner, one: T) => Shown<K>,
): Page<K> {
  const shown = listed.flatMap((one) => {
    const owner = ownerOf(one.Tags);
    return owner === null ? [] : [shownOf(owner, one)];
  });
  return { shown, next: nextToken ? nextToken : null };
}

/** The name of a resource, and whose it is. */
export type Owner = Pick<Resource, 'name' | 'tags'>;
