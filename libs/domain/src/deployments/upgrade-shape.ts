/** The part of a deployment that an upgrade changes: its terms, and the size of each node. */
export interface UpgradeShape {
  tier: string;
  managed_tier: string | null;
  storage: { type: string; size: number };
  /** Memory of each node. */
  memory_mib: number;
  /** USD per month for all nodes, as decimal text. */
  monthly_compute: string;
  monthly_storage: string;
  pricing_version: string;
  /** Days of telemetry that the terms include. Absent in upgrades of earlier releases. */
  telemetry_days?: number;
}

/** The data of the operation `upgrade_deployment`, from the request to its steps. */
export interface UpgradeMemo {
  from: UpgradeShape;
  to: UpgradeShape;
  /** False: only terms change, and no node changes. */
  is_hardware: boolean;
}

/** Data of an upgrade in the audit record and the event (C-26.5). */
export const upgradeData = (from: UpgradeShape, to: UpgradeShape) => ({
  from_tier: from.tier,
  to_tier: to.tier,
  from_storage: from.storage,
  to_storage: to.storage,
  from_managed_tier: from.managed_tier,
  to_managed_tier: to.managed_tier,
});
