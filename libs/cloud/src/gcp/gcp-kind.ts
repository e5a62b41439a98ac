import type { InventoryTags, ResourceKind, ResourceState } from '../cloud-provider.js';
import type { DriverKind, Owner, Page, Observed } from '../driver/driver-kind.js';
import { idsOf, type Remembered } from '../driver/driver-memory.js';
import type { GcpApi } from './gcp-api.js';
import { namedPartOf, prefixOf } from './gcp-names.js';
import type { GcpPage, GcpResource } from './gcp-shapes.js';
import { isRunning, type GcpWork } from './gcp-work.js';

/** How the driver of Google Cloud treats one kind of resource. Its main part is the first one that exists, and the last one. */
export type GcpKind<K extends ResourceKind> = DriverKind<K, GcpApi, GcpWork>;

/** A resource with what Google has of its main part. Null: Google does not have the part. */
export interface RememberedResource<T> {
  owner: Owner;
  path: string;
  resource: T | null;
  memory: Remembered;
}

/** What Google has of the resources, by the paths of their main parts. */
export async function resourcesOf<T extends GcpResource>(
  api: GcpApi,
  memories: ReadonlyMap<string, Remembered>,
  part: string,
): Promise<RememberedResource<T>[]> {
  const names = idsOf(memories, part);
  const resources = await api.findAll<T>([...names.keys()]);
  return [...names].flatMap(([path, name]) => {
    const memory = memories.get(name);
    const one = resources.get(path) ?? null;
    const tags = memory?.tags ?? ownerOf(one)?.tags;
    return memory && tags ? [{ owner: { name, tags }, path, resource: one, memory }] : [];
  });
}

/** The state of a resource. `state`: of one that Google has and keeps. Null: the resource does not exist. */
export function observedState(
  { resource, memory }: { resource: GcpResource | null; memory: Remembered | undefined },
  state: ResourceState,
): ResourceState | null {
  if (resource !== null) return memory?.isDeleting ? 'deleting' : state;
  if (memory?.isDeleting) return null;
  return memory && isRunning(memory) ? 'pending' : null;
}

/** What `observedOf` makes of each resource, by name. Null: the resource does not exist, and is left out. */
export function observedByName<T, K extends ResourceKind>(
  resources: readonly RememberedResource<T>[],
  observedOf: (one: RememberedResource<T>) => Observed<K> | null,
): Map<string, Observed<K>> {
  const observed = resources.flatMap((one) => observedOf(one) ?? []);
  return new Map(observed.map((one) => [one.name, one]));
}

/** The owner that the description names. Null: not of Landlord, or of all deployments. */
export function ownerOf(resource: GcpResource | null): Owner | null {
  const named = namedPartOf(resource?.description);
  if (named === null || named.tags.deployment_id === undefined) return null;
  const { installation, deployment_id, node_id } = named.tags;
  return { name: named.name, tags: { installation, deployment_id, ...(node_id !== undefined && { node_id }) } };
}

/** The filter for all resources of the installation, by the beginning of their names. */
export const filterOfAll = ({ installation }: InventoryTags): string => `name eq "${prefixOf(installation)}.*"`;

/** The main parts of the kind among the listed resources, with their owners. */
export function ownedOf<T extends GcpResource>(
  kind: ResourceKind,
  tags: InventoryTags,
  listed: readonly T[],
  part: string = kind,
): { owner: Owner; one: T }[] {
  return listed.flatMap((one) => {
    const named = namedPartOf(one.description);
    const owner = ownerOf(one);
    const isAsked =
      named?.kind === kind &&
      named.part === part &&
      owner?.tags.installation === tags.installation &&
      [undefined, owner.tags.deployment_id].includes(tags.deployment_id);
    return isAsked && owner ? [{ owner, one }] : [];
  });
}

/** A page of the inventory from a page of Google. */
export function ownedPage<T extends GcpResource, K extends ResourceKind>(
  kind: K,
  tags: InventoryTags,
  { items = [], nextPageToken }: GcpPage<T>,
  observedOf: (owner: Owner, one: T) => Observed<K> | null,
): Page<K> {
  return {
    observed: ownedOf(kind, tags, items).flatMap(({ owner, one }) => observedOf(owner, one) ?? []),
    next: nextPageToken ? nextPageToken : null,
  };
}
