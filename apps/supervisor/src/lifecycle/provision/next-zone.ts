/** A zone without capacity is not tried again for this time. */
const FULL_FOR_MS = 3 * 60_000;

/** Zones without capacity: since when, in milliseconds since the epoch, and what the provider said. */
export type FullZones = Readonly<Record<string, { at: number; reason: string }>>;

/** A node for which its zone had no capacity, and what can be used instead. */
interface FullZone {
  zone: string;
  /** All zones of the region, in order. */
  zones: readonly string[];
  /** The zones of the other nodes that are placed already. */
  taken: readonly string[];
  isMultiAz: boolean;
  full: FullZones;
  nowMs: number;
}

/**
 * Returns the zone to try next, or null: then the operation waits for capacity. The nodes of a deployment in one zone stay
 * together, so only the first node can change the zone. In several zones, a zone without a node comes first.
 */
export function nextZone({ zone, zones, taken, isMultiAz, full, nowMs }: FullZone): string | null {
  if (!isMultiAz && taken.length > 0) return null;
  const isUsable = (other: string): boolean => other !== zone && nowMs - (full[other]?.at ?? -Infinity) >= FULL_FOR_MS;
  // With as many zones as nodes, two nodes in one zone would be what the customer did not order.
  return zones.find((other) => isUsable(other) && !taken.includes(other)) ?? null;
}
