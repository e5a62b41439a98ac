import { Decimal } from 'decimal.js';
import type { MainApiConfig } from '../config.js';
import type { UpgradeShape } from '@libs/domain';
import type { DeploymentDetailRow, DeploymentRow } from '@libs/persistence/organization';
import type { DeploymentItemView, DeploymentView, UpgradedShapeView } from './dto/deployment.view.js';

/** Data for views in addition to the row. */
export interface ViewContext {
  baseDomain: string;
  upgradeCooldownSeconds: number;
}

/** Returns the context from the settings of this app. */
export const viewContext = (config: MainApiConfig): ViewContext => ({
  baseDomain: config.BASE_DOMAIN,
  upgradeCooldownSeconds: config.UPGRADE_COOLDOWN_SECONDS,
});

export const toItemView = (row: DeploymentRow, { baseDomain }: ViewContext): DeploymentItemView => ({
  id: row.id,
  name: row.name,
  code: row.code,
  variant: row.variant,
  domain: domainOf(row, baseDomain),
  cloud: row.cloud,
  area: row.area,
  region: row.region,
  tier: row.tier,
  cluster: row.cluster,
  supervisor_url: row.supervisorUrl,
  protected: row.protected,
  nodes_count: row.nodesCount,
  storage: { type: row.storageType, size: row.storageSize },
  availability_mode: row.availabilityMode,
  retention: { telemetry_days: row.telemetryDays },
  spend_limit: row.spendLimit === null ? null : Number(row.spendLimit),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const toDetailView = (row: DeploymentDetailRow, context: ViewContext): DeploymentView => ({
  ...toItemView(row, context),
  description: row.description,
  upgrades: row.upgrades.map(({ upgraded_at, from, to }) => ({
    upgraded_at: new Date(upgraded_at).toISOString(),
    from: toShapeView(from),
    to: toShapeView(to),
  })),
  can_upgrade: canUpgrade(row, context.upgradeCooldownSeconds),
  target_network_tput: row.targetNetworkTput,
  ...(row.managedTier !== null && {
    managed_tier: row.managedTier,
    monthly_base: new Decimal(row.monthlyCompute).add(row.monthlyStorage).toNumber(),
  }),
  ...(row.variant === 'byoc' && { cloud_account_id: row.cloudAccountId }),
});

const toShapeView = ({ tier, storage, managed_tier }: UpgradeShape): UpgradedShapeView => ({
  tier,
  storage,
  managed_tier,
});

/** `<code>.<region>.<cloud>.<base domain>` (C-12.2). */
export const domainOf = (row: Pick<DeploymentRow, 'code' | 'region' | 'cloud'>, baseDomain: string): string =>
  `${row.code}.${row.region}.${row.cloud}.${baseDomain}`;

const canUpgrade = (row: DeploymentRow, cooldownSeconds: number): boolean =>
  row.deletionRequestedAt === null &&
  (row.upgradedAt === null || Date.now() - row.upgradedAt.getTime() >= cooldownSeconds * 1000);
