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
  supervisor_url: row.supervisor_url,
  protected: row.protected,
  nodes_count: row.nodes_count,
  storage: { type: row.storage_type, size: row.storage_size },
  availability_mode: row.availability_mode,
  retention: { telemetry_days: row.telemetry_days },
  spend_limit: row.spend_limit === null ? null : Number(row.spend_limit),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
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
  target_network_tput: row.target_network_tput,
  ...(row.managed_tier !== null && {
    managed_tier: row.managed_tier,
    monthly_base: new Decimal(row.monthly_compute).add(row.monthly_storage).toNumber(),
  }),
  ...(row.variant === 'byoc' && { cloud_account_id: row.cloud_account_id }),
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
  row.deletion_requested_at === null &&
  (row.upgraded_at === null || Date.now() - row.upgraded_at.getTime() >= cooldownSeconds * 1000);
