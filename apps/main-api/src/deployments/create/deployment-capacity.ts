import { Injectable } from '@nestjs/common';
import { requireBelowLimit, requireWithin } from '@libs/catalog';
import type { TenantId } from '@libs/domain';
import { DeploymentsRepository } from '@libs/persistence/organization';
import { FreeDeployments, TenantEntitlements, type TenantEntitlement } from '../../tenants/index.js';
import type { DeploymentRequest } from './managed-rules.js';
import { requireTierBelowLimit } from './tier-limit.js';

/** Checks whether a tenant may have one more deployment. A lock prevents concurrent creations during the count. */
@Injectable()
export class DeploymentCapacity {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly free: FreeDeployments,
  ) {}

  /** Locks the tenant until the transaction ends. */
  lock(tenantId: TenantId): Promise<TenantEntitlement> {
    return this.entitlements.lock(tenantId);
  }

  /** The caller must have the lock of the tenant. @throws DomainError plan_limit_reached */
  async require(tenantId: TenantId, entitlements: TenantEntitlement, request: DeploymentRequest): Promise<void> {
    await this.requireWithinPlan(tenantId, entitlements, request);
    if (request.shape.tier === 'free') await this.free.requireBelowLimit(tenantId, entitlements);
  }

  /** Like `require`, for a reader: the counts may change at once. @throws DomainError plan_limit_reached */
  async requireNow(tenantId: TenantId, entitlements: TenantEntitlement, request: DeploymentRequest): Promise<void> {
    await this.requireWithinPlan(tenantId, entitlements, request);
    if (request.shape.tier === 'free') await this.free.requireLeft(tenantId, entitlements);
  }

  private async requireWithinPlan(
    tenantId: TenantId,
    entitlements: TenantEntitlement,
    { shape, quote }: DeploymentRequest,
  ): Promise<void> {
    const { total, byTier } = await this.deployments.usage(tenantId);
    requireBelowLimit(entitlements, 'concurrent_deployments_limit', total);
    requireWithin(entitlements, 'nodes_per_deployment_limit', quote.nodes);
    requireTierBelowLimit(entitlements, shape.tier, byTier);
  }
}
