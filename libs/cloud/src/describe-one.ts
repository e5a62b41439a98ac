import type { CloudProvider, Resource, ResourceKind } from './cloud-provider.js';

/** The one resource with this name, as its provider reports it now. Null when it does not exist. */
export async function describeOne<K extends ResourceKind>(
  provider: Pick<CloudProvider, 'describe'>,
  kind: K,
  name: string,
  signal?: AbortSignal,
): Promise<Resource<K> | null> {
  return (await provider.describe(kind, [name], signal)).get(name) ?? null;
}
