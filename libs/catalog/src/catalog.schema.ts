import { FEATURE_FLAGS, LIMITS, PLANS } from '@libs/domain';
import { z } from 'zod';
import { AWS_INSTANCE_TYPES } from './data/aws-instance-types.js';
import { GCP_MACHINE_TYPES } from './data/gcp-machine-types.js';
import { instanceTypesSchema, machineTypesSchema } from './instance-types.schema.js';

/** The compute sizes, smallest first (C-11.6). */
export const TIERS = [
  'free',
  'small',
  'medium',
  'large',
  'xlarge',
  '2xlarge',
  '4xlarge',
  '8xlarge',
  '16xlarge',
] as const;
export type Tier = (typeof TIERS)[number];

export const CLOUDS = ['aws', 'gcp'] as const;
export type Cloud = (typeof CLOUDS)[number];

export const AREAS = ['us', 'eu', 'ca', 'sa', 'ap'] as const;

export const STORAGE_TYPES = ['network_balanced', 'local_ssd'] as const;
export type StorageType = (typeof STORAGE_TYPES)[number];

export const CLUSTER_KINDS = ['cluster', 'standalone'] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];

/** Commercial terms, lowest first. */
export const MANAGED_TIERS = ['standard', 'performance', 'enterprise'] as const;
export type ManagedTier = (typeof MANAGED_TIERS)[number];

export const NETWORK_SCOPES = ['same_region', 'cross_region_same_cloud', 'cross_cloud'] as const;
export type NetworkScope = (typeof NETWORK_SCOPES)[number];

export const AVAILABILITY_MODES = ['single_az', 'multi_az'] as const;
export type AvailabilityMode = (typeof AVAILABILITY_MODES)[number];

/** A decimal amount as text, so that money never becomes a binary floating point number. */
const amount = z.string().regex(/^\d+(\.\d+)?$/, 'a decimal amount as text');
const count = z.number().int().nonnegative();

/** A number of KB per second, as catalogs write it. */
export const RATE_LIMIT = /^([1-9]\d{0,5}) KB\/s$/;

const regionSchema = z.strictObject({
  key: z.string().min(1),
  name: z.string().min(1),
  area: z.enum(AREAS),
  available: z.boolean(),
  zones: z.array(z.string()).min(1),
  /** Empty means every tier. */
  without_tiers: z.array(z.enum(TIERS)).default([]),
  without_storages: z.array(z.enum(STORAGE_TYPES)).default([]),
  /** Multiplies compute and storage prices. */
  price_factor: amount.default('1'),
});

const tierSchema = z.strictObject({
  key: z.enum(TIERS),
  name: z.string(),
  description: z.string(),
  vcpus: z.number().positive(),
  memory_gib: z.number().positive(),
  clusters: z.array(z.enum(CLUSTER_KINDS)).min(1),
  storages: z.array(z.enum(STORAGE_TYPES)).min(1),
  /** GB of local NVMe per node. The size of `local_ssd` follows from the compute size. */
  local_ssd_gb: count,
  /** The rate that gates enforce for a deployment. 1 KB is 1,000 bytes. */
  rate_limit: z.string().regex(RATE_LIMIT, 'a rate such as "100 KB/s"').nullable(),
  /** Estimated KB/s of one node. A higher throughput needs more nodes. */
  node_throughput_kbps: z.number().int().positive(),
  default_throughput_kbps: z.number().int().positive(),
  /** USD for one node and month of 730 hours. */
  monthly_usd: amount,
});

const planSchema = z.strictObject({
  name: z.string(),
  limits: z.strictObject(
    Object.fromEntries(LIMITS.map((name) => [name, count])) as Record<(typeof LIMITS)[number], typeof count>,
  ),
  flags: z.strictObject(
    Object.fromEntries(FEATURE_FLAGS.map((name) => [name, z.boolean()])) as Record<
      (typeof FEATURE_FLAGS)[number],
      z.ZodBoolean
    >,
  ),
  deployment_tiers: z.array(z.strictObject({ tier: z.enum(TIERS), limit: count })),
  /** MiB of log lines that one node may store per day. Documents from before this limit get the smallest value. */
  node_log_mib_per_day: z.number().int().positive().default(256),
});

/** The whole catalog: clouds, regions, tiers, prices, plans. One versioned document that an operator can replace. */
export const catalogSchema = z
  .strictObject({
    /** Shown as `pricing_version`. Change it with every change of a price. */
    version: z.string().min(1),
    clouds: z.record(z.enum(CLOUDS), z.strictObject({ name: z.string(), regions: z.array(regionSchema).min(1) })),
    tiers: z.array(tierSchema).length(TIERS.length),
    storages: z.record(
      z.enum(STORAGE_TYPES),
      z.strictObject({
        name: z.string(),
        description: z.string(),
        clusters: z.array(z.enum(CLUSTER_KINDS)).min(1),
        /** USD for one GB and month. */
        monthly_usd_per_gb: amount,
      }),
    ),
    managed_tiers: z.record(
      z.enum(MANAGED_TIERS),
      z.strictObject({ compute_factor: amount, telemetry_days: z.number().int().positive() }),
    ),
    free_telemetry_days: z.number().int().positive(),
    /** USD for one GB transferred, by location of the clients. */
    transfer_usd_per_gb: z.record(z.enum(NETWORK_SCOPES), amount),
    segments: z.strictObject({ default_bytes: z.number().int().positive(), min_bytes: z.number().int().positive() }),
    plans: z.record(z.enum(PLANS), planSchema),
    /** What nodes at AWS run on. Documents from before get the built-in list. */
    aws_instance_types: instanceTypesSchema.default(AWS_INSTANCE_TYPES),
    gcp_machine_types: machineTypesSchema.default(GCP_MACHINE_TYPES),
  })
  .superRefine((catalog, context) => {
    for (const [key, cloud] of Object.entries(catalog.clouds)) {
      const [first] = cloud.regions;
      if (first && (first.without_tiers.length > 0 || first.without_storages.length > 0 || !first.available))
        context.addIssue({
          code: 'custom',
          path: ['clouds', key, 'regions', 0],
          message: 'the first region offers all',
        });
    }
  });

export type CatalogData = z.infer<typeof catalogSchema>;
export type RegionData = CatalogData['clouds']['aws']['regions'][number];
export type TierData = CatalogData['tiers'][number];
