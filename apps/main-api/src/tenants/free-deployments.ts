import { Inject, Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError, type TenantId } from '@libs/domain';
import { FreeDeploymentsRepository } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';

/**
 * Limits the Free deployments of a user over all tenants that the user owns: with new tenants, a user does not get more
 * free resources. A tenant whose override raises the plan's count of Free deployments is neither limited nor counted.
 */
@Injectable()
export class FreeDeployments {
  private readonly limit: number;

  constructor(
    private readonly rows: FreeDeploymentsRepository,
    private readonly catalog: Catalog,
    @Inject(MAIN_API_CONFIG) config: Pick<MainApiConfig, 'FREE_DEPLOYMENTS_PER_USER'>,
  ) {
    this.limit = config.FREE_DEPLOYMENTS_PER_USER;
  }

  /**
   * The caller must have the lock of the tenant. Locks the count of the owner until the transaction ends.
   * @throws DomainError plan_limit_reached
   */
  async requireBelowLimit(tenantId: TenantId, entitlements: Entitlements): Promise<void> {
    await this.rows.lock(tenantId);
    await this.requireLeft(tenantId, entitlements);
  }

  /** Like `requireBelowLimit`, for a reader: the count may change at once. @throws DomainError plan_limit_reached */
  async requireLeft(tenantId: TenantId, entitlements: Entitlements): Promise<void> {
    if (entitlements.isTierRaised('free')) return;
    const usage = await this.usage(tenantId);
    if (usage < this.limit) return;
    throw new DomainError('plan_limit_reached', `A user has at most ${this.limit} Free deployments in all tenants.`, {
      members: { limit_name: 'free_deployments_per_user', limit: this.limit, usage, requested: 1 },
    });
  }

  /** Returns the number of Free deployments that can be added to the tenant under the limit of its owner. */
  async left(tenantId: TenantId, entitlements: Entitlements): Promise<number> {
    if (entitlements.isTierRaised('free')) return Infinity;
    return Math.max(0, this.limit - (await this.usage(tenantId)));
  }

  private async usage(tenantId: TenantId): Promise<number> {
    const counted = (await this.rows.ofOwner(tenantId)).filter(
      ({ plan, plan_overrides: planOverrides }) =>
        !new Entitlements(this.catalog, plan, planOverrides).isTierRaised('free'),
    );
    return counted.reduce((sum, { count }) => sum + count, 0);
  }
}
