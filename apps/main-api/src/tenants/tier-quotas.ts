import { Injectable } from '@nestjs/common';
import type { Tier } from '@libs/catalog';
import type { TenantId } from '@libs/domain';
import { DeploymentsRepository, type DeploymentUsage } from '@libs/persistence/organization';
import { FreeDeployments } from './free-deployments.js';
import type { TenantEntitlement } from './tenant-entitlements.js';

/** The deployments of one compute size that a tenant has and may have. */
export interface TierQuota {
  limit: number;
  /** A deployment with a running upgrade counts for both of its sizes. */
  used: number;
  /** Deployments that can be added, by every limit of a creation. */
  remaining: number;
}

/** Computes how many deployments a tenant can add, for readers. A creation checks the same limits under a lock. */
@Injectable()
export class TierQuotas {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly free: FreeDeployments,
  ) {}

  async of(tenantId: TenantId, entitlements: TenantEntitlement): Promise<(tier: Tier) => TierQuota> {
    return this.withUsage(tenantId, entitlements, await this.deployments.usage(tenantId));
  }

  /** Like `of`, for a caller that has read the usage. */
  async withUsage(
    tenantId: TenantId,
    entitlements: TenantEntitlement,
    { total, byTier }: DeploymentUsage,
  ): Promise<(tier: Tier) => TierQuota> {
    const freeLeft = await this.free.left(tenantId, entitlements);
    const anyLeft = entitlements.limit('concurrent_deployments_limit') - total;
    return (tier) => {
      const [limit, used] = [entitlements.tierLimit(tier), byTier.get(tier) ?? 0];
      const remaining = Math.min(limit - used, anyLeft, tier === 'free' ? freeLeft : Infinity);
      return { limit, used, remaining: Math.max(0, remaining) };
    };
  }
}
