import type { MemoryKey } from '../driver/driver-memory.js';
import { baseName, descriptionOf, labelsOf, namedPartOf, type PartOwner } from './gcp-names.js';
import type { GcpResource } from './gcp-shapes.js';

/** How a part of a resource comes into being. */
export interface GcpPart {
  part: string;
  /** The path of the part: `projects/p/zones/z/disks/d`. */
  path: string;
  /** Everything but the name and the description. Called only before a creation. */
  body: () => Promise<object> | object;
  /** Missing: the owner of the resource. */
  owner?: PartOwner;
  /** Whether the kind has labels. */
  hasLabels?: boolean;
  /** For a message about capacity. */
  asked?: { what: string; zone: string | null };
}

/** The whole body of the creation. */
export async function bodyOf(key: MemoryKey, plan: GcpPart, owner: PartOwner): Promise<object> {
  const named = { ...key, part: plan.part, tags: owner };
  return {
    ...{ name: baseName(plan.path), description: descriptionOf(named), ...(await plan.body()) },
    ...(plan.hasLabels && { labels: labelsOf(named) }),
  };
}

/** Whether the description says that the resource at Google is a part of this one. */
export function isPartOf({ kind, name }: MemoryKey, { description }: GcpResource): boolean {
  const named = namedPartOf(description);
  return named?.kind === kind && named.name === name;
}
