import { Injectable } from '@nestjs/common';
import { TIERS } from '@libs/catalog';
import { LIMITS, type LimitName, type TenantId } from '@libs/domain';
import { DeploymentsRepository } from '@libs/persistence/organization';
import { TenantEntitlements, TierQuotas } from '../tenants/index.js';
import type { LimitsView } from './dto/limits.view.js';
import { scopeOfLimit } from './limit-scopes.js';
import { PeopleUsage } from './people-usage.js';
import { ResourceUsage } from './resource-usage.js';

/** The limits of tenants with their usage. */
@Injectable()
export class LimitsService {
  constructor(
    private readonly entitlements: TenantEntitlements,
    private readonly tierQuotas: TierQuotas,
    private readonly deployments: DeploymentsRepository,
    private readonly people: PeopleUsage,
    private readonly resources: ResourceUsage,
  ) {}

  async of(tenantId: TenantId): Promise<LimitsView> {
    const entitlements = await this.entitlements.of(tenantId);
    const deployments = await this.deployments.usage(tenantId);
    const quotaOf = await this.tierQuotas.withUsage(tenantId, entitlements, deployments);
    const usage: Partial<Record<LimitName, number>> = {
      ...(await this.people.of(tenantId)),
      ...(await this.resources.of(tenantId)),
      concurrent_deployments_limit: deployments.total,
    };
    const limits = LIMITS.map((name) => {
      const [limit, used] = [entitlements.limit(name), usage[name] ?? null];
      const remaining = used === null ? null : Math.max(0, limit - used);
      return { name, scope: scopeOfLimit(name), limit, used, remaining };
    });
    const tiers = TIERS.map((tier) => ({ tier, ...quotaOf(tier) })).filter(({ limit, used }) => limit + used > 0);
    return { limits, deployment_tiers: tiers };
  }
}
