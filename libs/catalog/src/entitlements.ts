import type { FeatureFlag, LimitName, Plan } from '@libs/domain';
import type { Catalog } from './catalog.js';
import type { Tier } from './catalog.schema.js';

/** Grants of a tenant in addition to its plan: limits, flags and tier counts by name. */
export interface PlanOverrides {
  limits?: Partial<Record<LimitName, number>>;
  flags?: Partial<Record<FeatureFlag, boolean>>;
  deployment_tiers?: Partial<Record<Tier, number>>;
  /** The approval for managed tier `enterprise` outside the Enterprise plan. */
  enterprise_terms?: boolean;
}

/** The entitlements of one tenant: its plan with its overrides (C-10.1). */
export class Entitlements {
  constructor(
    private readonly catalog: Catalog,
    private readonly plan: Plan,
    private readonly overrides: PlanOverrides,
  ) {}

  /** Whether the tenant may buy managed tier `enterprise`. */
  get hasEnterpriseTerms(): boolean {
    return this.plan === 'enterprise' || this.overrides.enterprise_terms === true;
  }

  limit(name: LimitName): number {
    return this.overrides.limits?.[name] ?? this.catalog.plan(this.plan).limits[name];
  }

  has(flag: FeatureFlag): boolean {
    return this.overrides.flags?.[flag] ?? this.catalog.plan(this.plan).flags[flag];
  }

  /** Maximum number of deployments of this tier. 0 for a tier outside the plan. */
  tierLimit(tier: Tier): number {
    return this.overrides.deployment_tiers?.[tier] ?? this.plannedTier(tier);
  }

  /** Whether the tenant was granted more deployments of this tier than its plan has. */
  isTierRaised(tier: Tier): boolean {
    return this.tierLimit(tier) > this.plannedTier(tier);
  }

  private plannedTier(tier: Tier): number {
    return this.catalog.plan(this.plan).deployment_tiers.find((row) => row.tier === tier)?.limit ?? 0;
  }
}
