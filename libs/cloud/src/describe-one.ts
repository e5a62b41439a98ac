import type { CloudProvider, Resource, ResourceKind, ResourceRef } from './cloud-provider.js';

/** One resource, as its provider reports it now. Null when it does not exist. */
export async function describeOne<K extends ResourceKind>(
  provider: Pick<CloudProvider, 'describe'>,
  kind: K,
  ref: ResourceRef,
  signal?: AbortSignal,
): Promise<Resource<K> | null> {
  return (await provider.describe(kind, [ref], signal)).get(ref.name) ?? null;
}
