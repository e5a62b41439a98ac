import { Decimal } from 'decimal.js';

/** The shape of the contract: the members that an upgrade may change. */
export interface ModelShape {
  tier: string;
  managedTier: string | null;
  storage: { type: string; size: number };
}

/** By size, from catalog 2026-11: USD per node and month, GB of local drives, KB/s. */
const TIERS: Record<string, { usd: string; localGb: number; kbps: number }> = {
  free: { usd: '0', localGb: 0, kbps: 100 },
  small: { usd: '62.05', localGb: 118, kbps: 5_000 },
  medium: { usd: '116.80', localGb: 237, kbps: 12_000 },
  large: { usd: '226.30', localGb: 474, kbps: 25_000 },
  xlarge: { usd: '448.95', localGb: 950, kbps: 50_000 },
  '2xlarge': { usd: '890.60', localGb: 1_900, kbps: 100_000 },
};
export const SIZES = Object.keys(TIERS);

export const TERMS = ['standard', 'performance', 'enterprise'];
const FACTOR: Record<string, string> = { standard: '1', performance: '1.35', enterprise: '1.8' };
const USD_PER_GB: Record<string, string> = { network_balanced: '0.12', local_ssd: '0.09' };

/** The region of all sequences: its price factor is 1, and it offers everything. */
export const REGION = 'us-east-1';

/** GB of local drives of a node: they follow the compute size. */
export const localDriveGb = (tier: string): number => TIERS[tier]?.localGb ?? 0;

/** C-11.10: 1 node for standalone; an odd number of at least 3 for a cluster, more for higher throughput. */
export function nodesFor(tier: string, cluster: string, throughput: number | undefined): number {
  if (cluster === 'standalone') return 1;
  const one = TIERS[tier]?.kbps ?? 1;
  let nodes = 3;
  while (nodes * one < (throughput ?? one)) nodes += 2;
  return nodes;
}

/** C-11.8 and C-11.9: compute + storage, each line rounded once, half-even. */
export function monthlyBase({ tier, managedTier, storage }: ModelShape, nodes: number): number {
  const line = (usd: Decimal): Decimal => usd.toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);
  const compute = new Decimal(TIERS[tier]?.usd ?? 0).mul(FACTOR[managedTier ?? ''] ?? 0).mul(nodes);
  const drives = new Decimal(USD_PER_GB[storage.type] ?? 0).mul(storage.size).mul(nodes);
  return line(compute).add(line(drives)).toNumber();
}
