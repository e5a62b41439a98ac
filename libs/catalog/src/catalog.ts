import { PLANS, type Plan } from '@libs/domain';
import {
  RATE_LIMIT,
  TIERS,
  type CatalogData,
  type Cloud,
  type ManagedTier,
  type RegionData,
  type StorageType,
  type Tier,
  type TierData,
} from './catalog.schema.js';

/** The products per region. Immutable. Built once at boot from a validated document. */
export class Catalog {
  constructor(readonly data: CatalogData) {}

  get version(): string {
    return this.data.version;
  }

  clouds(): { key: Cloud; name: string }[] {
    return (Object.keys(this.data.clouds) as Cloud[]).map((key) => ({ key, name: this.data.clouds[key].name }));
  }

  /** The cloud with this key, or null. */
  findCloud(key: string): Cloud | null {
    return Object.hasOwn(this.data.clouds, key) ? (key as Cloud) : null;
  }

  regions(cloud: Cloud): readonly RegionData[] {
    return this.data.clouds[cloud].regions;
  }

  findRegion(cloud: Cloud, key: string): RegionData | null {
    return this.regions(cloud).find((region) => region.key === key) ?? null;
  }

  tier(key: Tier): TierData {
    return this.data.tiers[TIERS.indexOf(key)] as TierData;
  }

  tiers(): readonly TierData[] {
    return this.data.tiers;
  }

  /** The instance types of AWS for nodes of this tier, the best one first. Empty: AWS runs no such nodes. */
  awsInstanceTypes(tier: Tier, storage: StorageType): readonly string[] {
    return this.data.aws_instance_types[storage][tier] ?? [];
  }

  /** The machine types of Google Cloud for nodes of this tier, the best one first. Empty: Google runs no such nodes. */
  gcpMachineTypes(tier: Tier, storage: StorageType): readonly string[] {
    return this.data.gcp_machine_types[storage][tier] ?? [];
  }

  /** Bytes per second that clients may publish to a deployment of this tier. Null: no limit. */
  rateLimitBytes(key: Tier): number | null {
    const { rate_limit } = this.tier(key);
    return rate_limit === null ? null : Number(RATE_LIMIT.exec(rate_limit)?.[1]) * 1000;
  }

  isTierOffered(region: RegionData, tier: Tier): boolean {
    return region.available && !region.without_tiers.includes(tier);
  }

  isStorageOffered(region: RegionData, storage: StorageType): boolean {
    return region.available && !region.without_storages.includes(storage);
  }

  /** Days of telemetry in the terms: the default and the maximum of a deployment's retention. */
  telemetryDays(managedTier: ManagedTier | null): number {
    return managedTier ? this.data.managed_tiers[managedTier].telemetry_days : this.data.free_telemetry_days;
  }

  plan(key: Plan): CatalogData['plans']['basic'] {
    return this.data.plans[key];
  }

  /** Bytes of log lines that one node may store in one day (UTC), by plan. */
  dailyLogBytesByPlan(): Record<Plan, number> {
    const bytes = PLANS.map((plan) => [plan, this.plan(plan).node_log_mib_per_day * 1024 * 1024]);
    return Object.fromEntries(bytes) as Record<Plan, number>;
  }

  /** Retention of audit entries in days, by plan. */
  auditDaysByPlan(): Record<Plan, number> {
    const days = PLANS.map((plan) => [plan, this.plan(plan).limits.audit_retention_days]);
    return Object.fromEntries(days) as Record<Plan, number>;
  }
}
