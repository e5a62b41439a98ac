import { Injectable } from '@nestjs/common';
import { requireBelowLimit, requireWithin } from '@libs/catalog';
import type { TenantId } from '@libs/domain';
import { pipelined } from '@libs/persistence';
import { DeploymentsRepository, type DeploymentUsage } from '@libs/persistence/organization';
import { FreeDeployments, TenantEntitlements, type TenantEntitlement } from '../../tenants/index.js';
import type { DeploymentRequest } from './managed-rules.js';
import { requireTierBelowLimit } from './tier-limit.js';

/** What a tenant may have, and how many deployments it has. */
export interface TenantQuota {
  entitlements: TenantEntitlement;
  usage: DeploymentUsage;
}

/** Checks whether a tenant may have one more deployment. A lock prevents concurrent creations during the count. */
@Injectable()
export class DeploymentQuota {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly free: FreeDeployments,
  ) {}

  /** Locks the tenant until the transaction ends. Counts and reads behind the lock, in the same packet. */
  async locked<T>(tenantId: TenantId, reads: () => Promise<T>): Promise<[TenantQuota, T]> {
    const [entitlements, [usage, answers]] = await this.entitlements.locked(tenantId, () =>
      pipelined([this.deployments.usage(tenantId), reads()]),
    );
    return [{ entitlements, usage }, answers];
  }

  /** `capacity` comes from `locked`, in the same transaction. @throws DomainError plan_limit_reached */
  async require(tenantId: TenantId, quota: TenantQuota, request: DeploymentRequest): Promise<void> {
    const { entitlements } = quota;
    requireWithinPlan(quota, request);
    if (request.shape.tier === 'free') await this.free.requireBelowLimit(tenantId, entitlements);
  }

  /** Like `require`, for a reader: the counts may change at once. @throws DomainError plan_limit_reached */
  async requireNow(tenantId: TenantId, entitlements: TenantEntitlement, request: DeploymentRequest): Promise<void> {
    requireWithinPlan({ entitlements, usage: await this.deployments.usage(tenantId) }, request);
    if (request.shape.tier === 'free') await this.free.requireLeft(tenantId, entitlements);
  }
}

/** @throws DomainError plan_limit_reached */
function requireWithinPlan({ entitlements, usage }: TenantQuota, { shape, quote }: DeploymentRequest): void {
  requireBelowLimit(entitlements, 'concurrent_deployments_limit', usage.total);
  requireWithin(entitlements, 'nodes_per_deployment_limit', quote.nodes);
  requireTierBelowLimit(entitlements, shape.tier, usage.byTier);
}
