import { Decimal } from 'decimal.js';
import type { Catalog } from './catalog.js';
import type {
  AvailabilityMode,
  Cloud,
  ClusterKind,
  ManagedTier,
  NetworkScope,
  StorageType,
  Tier,
} from './catalog.schema.js';

const GIB = 1024 ** 3;
/** A billing month is 730 hours. */
const SECONDS_PER_MONTH = 730 * 3600;
/** Share of a node's memory that segments may fill before partitions compete for it. */
const SEGMENT_MEMORY_SHARE = 0.5;

/** A complete shape of a deployment, with all defaults filled in. */
export interface Shape {
  cloud: Cloud;
  region: string;
  tier: Tier;
  cluster: ClusterKind;
  managedTier: ManagedTier | null;
  storage: { type: StorageType; size: number };
  /** KB/s. */
  targetNetworkTput: number;
  networkScope: NetworkScope;
  availabilityMode: AvailabilityMode;
}

export interface Quote {
  nodes: number;
  /** USD per month, rounded once per line, half to even. */
  computeUsd: Decimal;
  storageUsd: Decimal;
  networkUsd: Decimal;
  /** Compute and storage: the price before transfer. */
  monthlyBaseUsd: Decimal;
  monthlyTotalUsd: Decimal;
  pricingVersion: string;
}

/**
 * The monthly price of a shape from the catalog (C-11.8). Free costs nothing. `nodes`: the number of an existing deployment.
 * Default: computed from the throughput.
 */
export function quote(catalog: Catalog, shape: Shape, nodes = nodeCount(catalog, shape)): Quote {
  const factor = catalog.findRegion(shape.cloud, shape.region)?.price_factor ?? '1';
  const terms = shape.managedTier ? catalog.data.managed_tiers[shape.managedTier].compute_factor : '0';
  const computeUsd = line(new Decimal(catalog.tier(shape.tier).monthly_usd).mul(nodes).mul(terms).mul(factor));
  const storageUsd = line(storagePrice(catalog, shape).mul(nodes).mul(factor));
  const networkUsd = line(transferPrice(catalog, shape));
  const monthlyBaseUsd = computeUsd.add(storageUsd);
  const monthlyTotalUsd = monthlyBaseUsd.add(networkUsd);
  return {
    nodes,
    computeUsd,
    storageUsd,
    networkUsd,
    monthlyBaseUsd,
    monthlyTotalUsd,
    pricingVersion: catalog.version,
  };
}

/** Number of nodes of the shape: one, or an odd number of at least three that can carry the throughput. */
export function nodeCount(catalog: Catalog, shape: Pick<Shape, 'cluster' | 'tier' | 'targetNetworkTput'>): number {
  if (shape.cluster === 'standalone') return 1;
  const needed = Math.ceil(shape.targetNetworkTput / catalog.tier(shape.tier).node_throughput_kbps);
  return Math.max(3, needed % 2 === 0 ? needed + 1 : needed);
}

/** Memory of one node of this compute size. */
export const memoryMib = (catalog: Catalog, tier: Tier): number => Math.round(catalog.tier(tier).memory_gib * 1024);

export interface Capacity {
  shards_per_node: number;
  default_segment_bytes: number;
  min_segment_bytes: number;
  partitions_per_node_at_default_segment: number;
  partitions_per_node_at_min_segment: number;
}

/** Diagnostic figures from the tier's memory and the segment sizes; not guaranteed limits (C-11.11). */
export function capacity(catalog: Catalog, tier: Tier): Capacity {
  const { vcpus, memory_gib } = catalog.tier(tier);
  const { default_bytes, min_bytes } = catalog.data.segments;
  const budget = memory_gib * GIB * SEGMENT_MEMORY_SHARE;
  return {
    shards_per_node: vcpus,
    default_segment_bytes: default_bytes,
    min_segment_bytes: min_bytes,
    partitions_per_node_at_default_segment: Math.floor(budget / default_bytes),
    partitions_per_node_at_min_segment: Math.floor(budget / min_bytes),
  };
}

const line = (usd: Decimal): Decimal => usd.toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);

function storagePrice(catalog: Catalog, shape: Shape): Decimal {
  if (shape.managedTier === null) return new Decimal(0);
  return new Decimal(catalog.data.storages[shape.storage.type].monthly_usd_per_gb).mul(shape.storage.size);
}

function transferPrice(catalog: Catalog, shape: Shape): Decimal {
  if (shape.managedTier === null) return new Decimal(0);
  const gigabytes = new Decimal(shape.targetNetworkTput).mul(SECONDS_PER_MONTH).div(1_000_000);
  return gigabytes.mul(catalog.data.transfer_usd_per_gb[shape.networkScope]);
}
