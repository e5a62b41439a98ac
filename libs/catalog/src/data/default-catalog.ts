import type { z } from 'zod';
import type { catalogSchema } from '../catalog.schema.js';
import { PLAN_ROWS } from './plans.js';
import { CLOUD_REGIONS } from './regions.js';
import { TIER_ROWS } from './tiers.js';

const MIB = 1024 * 1024;

/** The built-in catalog. An operator can replace it with a JSON file of the same structure (CATALOG_FILE). */
export const DEFAULT_CATALOG: z.input<typeof catalogSchema> = {
  version: '2026-11',
  clouds: CLOUD_REGIONS,
  tiers: TIER_ROWS,
  storages: {
    network_balanced: {
      name: 'Network Drive',
      description: 'Replicated block storage that outlives its node; grows without downtime.',
      clusters: ['standalone', 'cluster'],
      monthly_usd_per_gb: '0.12',
    },
    local_ssd: {
      name: 'Local NVMe',
      description: 'Drives inside the node: the lowest latency; the size follows the compute size.',
      clusters: ['cluster'],
      monthly_usd_per_gb: '0.09',
    },
  },
  managed_tiers: {
    standard: { compute_factor: '1', telemetry_days: 14 },
    performance: { compute_factor: '1.35', telemetry_days: 30 },
    enterprise: { compute_factor: '1.8', telemetry_days: 90 },
  },
  free_telemetry_days: 7,
  transfer_usd_per_gb: { same_region: '0.01', cross_region_same_cloud: '0.03', cross_cloud: '0.09' },
  segments: { default_bytes: 64 * MIB, min_bytes: 8 * MIB },
  plans: PLAN_ROWS,
};
