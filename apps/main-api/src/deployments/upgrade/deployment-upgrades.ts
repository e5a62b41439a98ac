import { Inject, Injectable } from '@nestjs/common';
import { Catalog, memoryMib, type Entitlements } from '@libs/catalog';
import { DomainError, type DeploymentStatus, type UpgradeMemo, type UpgradeShape, Written } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { DeploymentsRepository, UpgradesRepository, type DeploymentRow } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { requirePayment, TenantEntitlements } from '../../tenants/index.js';
import type { AcceptedView } from '../dto/deployment.view.js';
import type { UpgradeDto } from '../dto/upgrade.dto.js';
import { requireEnterpriseTerms } from '../create/managed-rules.js';
import { requireTierBelowLimit } from '../create/tier-limit.js';
import { UpgradeRequests } from './upgrade-requests.js';
import { planUpgrade, type UpgradePlan } from './upgrade-rules.js';

/** Starts upgrades of deployments. The nodes follow one after the other. The new shape is in force when the operation ends. */
@Injectable()
export class DeploymentUpgrades {
  private readonly cooldownMs: number;

  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly upgrades: UpgradesRepository,
    private readonly catalog: Catalog,
    private readonly entitlements: TenantEntitlements,
    private readonly requests: UpgradeRequests,
    @Inject(MAIN_API_CONFIG) config: MainApiConfig,
  ) {
    this.cooldownMs = config.UPGRADE_COOLDOWN_SECONDS * 1000;
  }

  /**
   * Refuses in the order of C-12.15: faults of the request, missing rights of the tenant, conflicts with the current
   * state.
   * @throws DomainError deployment_not_found, validation_failed, downgrade_not_allowed, storage_cannot_shrink,
   * tier_feature_unsupported, payment_method_required, plan_feature_required, state_conflict, upgrade_cooldown,
   * plan_limit_reached
   */
  async upgrade(actor: ActingCaller, dto: UpgradeDto): Promise<Written<AcceptedView>> {
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const row = await this.deployments.findForUpdate(actor.tenantId, actor.environment.id, actor.deployment.id);
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    const plan = planUpgrade(this.catalog, row, dto);
    requirePayment(entitlements);
    requireEnterpriseTerms(entitlements, plan.to);
    requireUpgradable(row, plan);
    await this.requireSettled(row);
    if (plan.isHardware) this.requireCooledDown(row);
    if (plan.to.tier !== plan.from.tier) await this.requireBelowLimit(actor, entitlements, plan);
    const memo = this.memoOf(row, plan);
    const operation = await this.requests.start(actor, row, memo);
    await this.upgrades.insert(row.id, operation, memo);
    if (plan.isHardware) await this.deployments.beginCooldown(actor.tenantId, row.id);
    const environment = actor.environment.id;
    const body = { environment_id: environment, deployment_id: row.id, operation_id: operation };
    return new Written(body, { environment, deployment: row.id, operation });
  }

  private async requireBelowLimit(actor: ActingCaller, entitlements: Entitlements, { to }: UpgradePlan): Promise<void> {
    requireTierBelowLimit(entitlements, to.tier, (await this.deployments.usage(actor.tenantId)).byTier);
  }

  /** Until the last upgrade is settled, the shape in force may change. */
  private async requireSettled(row: DeploymentRow): Promise<void> {
    await this.requests.requireIdle(row);
    if (await this.upgrades.isPending(row.id)) throw await this.requests.conflict(row.id);
  }

  private requireCooledDown({ upgraded_at: upgradedAt }: DeploymentRow): void {
    const leftMs = upgradedAt === null ? 0 : upgradedAt.getTime() + this.cooldownMs - Date.now();
    if (leftMs <= 0) return;
    throw new DomainError('upgrade_cooldown', 'The hardware of the deployment changed a moment ago.', {
      retryAfterSeconds: Math.ceil(leftMs / 1000),
    });
  }

  private memoOf(row: DeploymentRow, { from, to, quote, isHardware }: UpgradePlan): UpgradeMemo {
    const now: UpgradeShape = {
      tier: from.tier,
      managed_tier: from.managedTier,
      storage: from.storage,
      memory_mib: memoryMib(this.catalog, from.tier),
      monthly_compute: row.monthly_compute,
      monthly_storage: row.monthly_storage,
      pricing_version: row.pricing_version,
      telemetry_days: this.catalog.telemetryDays(from.managedTier),
    };
    const next: UpgradeShape = {
      tier: to.tier,
      managed_tier: to.managedTier,
      storage: to.storage,
      memory_mib: memoryMib(this.catalog, to.tier),
      monthly_compute: quote.computeUsd.toFixed(2),
      monthly_storage: quote.storageUsd.toFixed(2),
      pricing_version: quote.pricingVersion,
      telemetry_days: this.catalog.telemetryDays(to.managedTier),
    };
    return { from: now, to: next, is_hardware: isHardware };
  }
}

/** Requires a deployment that serves or can serve again. Terms can also change while it is stopped. */
function requireUpgradable({ status }: DeploymentRow, { isHardware }: UpgradePlan): void {
  const fit: DeploymentStatus[] = isHardware ? ['initialized', 'degraded'] : ['initialized', 'degraded', 'stopped'];
  if (status === 'failed' || (isHardware && status === 'stopped'))
    throw new DomainError(
      'state_conflict',
      `The deployment is \`${status}\`. An upgrade needs status ${fit.join(' or ')}.`,
      {
        members: { state: status },
      },
    );
}
