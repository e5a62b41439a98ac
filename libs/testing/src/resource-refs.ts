import type { CloudProvider, InventoryTags, Place, Resource, ResourceRef } from '@libs/cloud';

export const PLACE: Place = { cloud: 'aws', region: 'us-east-1', account: null };

export const refTo = (name: string): ResourceRef => ({ name, at: PLACE });

/** All pages of the inventory. */
export async function listed(
  cloud: Pick<CloudProvider, 'inventory'>,
  tags: InventoryTags,
  signal?: AbortSignal,
): Promise<Resource[]> {
  const resources: Resource[] = [];
  let cursor: string | null = null;
  do {
    const page = await cloud.inventory(PLACE, tags, cursor, signal);
    resources.push(...page.resources);
    cursor = page.next;
  } while (cursor !== null);
  return resources;
}
