import type { z } from 'zod';
import type { catalogSchema } from '../catalog.schema.js';

type Tiers = z.input<typeof catalogSchema>['tiers'];
type TierRow = [Tiers[number]['key'], string, number, number, number, number, string];

/** key, name, vCPUs, memory GiB, local NVMe GB, KB/s of one node, USD for one node and month. */
const PAID: TierRow[] = [
  ['small', 'Small', 2, 4, 118, 5_000, '62.05'],
  ['medium', 'Medium', 2, 8, 237, 12_000, '116.80'],
  ['large', 'Large', 4, 16, 474, 25_000, '226.30'],
  ['xlarge', 'Extra large', 8, 32, 950, 50_000, '448.95'],
  ['2xlarge', '2 × extra large', 16, 64, 1_900, 100_000, '890.60'],
  ['4xlarge', '4 × extra large', 32, 128, 3_800, 200_000, '1773.90'],
  ['8xlarge', '8 × extra large', 64, 256, 7_600, 400_000, '3540.50'],
  ['16xlarge', '16 × extra large', 128, 512, 15_200, 800_000, '7073.70'],
];

export const TIER_ROWS: Tiers = [
  {
    key: 'free',
    name: 'Free',
    description: 'One node on shared infrastructure, to try things out.',
    vcpus: 1,
    memory_gib: 0.5,
    clusters: ['standalone'],
    storages: ['network_balanced'],
    local_ssd_gb: 0,
    rate_limit: '100 KB/s',
    node_throughput_kbps: 100,
    default_throughput_kbps: 100,
    monthly_usd: '0',
  },
  ...PAID.map(([key, name, vcpus, memory_gib, local_ssd_gb, throughput, monthly_usd]) => ({
    key,
    name,
    description: `${vcpus} vCPUs and ${memory_gib} GiB of memory on each node.`,
    vcpus,
    memory_gib,
    clusters: ['cluster' as const],
    storages: ['network_balanced' as const, 'local_ssd' as const],
    local_ssd_gb,
    rate_limit: null,
    node_throughput_kbps: throughput,
    default_throughput_kbps: throughput,
    monthly_usd,
  })),
];
