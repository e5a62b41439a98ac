import type { Entitlements, Tier } from '@libs/catalog';
import { DomainError } from '@libs/domain';

/**
 * Checks the plan's limit for one compute size. The caller must have the lock of the tenant.
 * @throws DomainError plan_limit_reached when the limit is reached
 */
export function requireTierBelowLimit(
  entitlements: Entitlements,
  tier: Tier,
  usage: ReadonlyMap<string, number>,
): void {
  const limit = entitlements.tierLimit(tier);
  const used = usage.get(tier) ?? 0;
  if (used < limit) return;
  throw new DomainError('plan_limit_reached', `The plan allows ${limit} deployments of tier ${tier}.`, {
    members: { limit_name: 'deployment_tiers', tier, limit, usage: used, requested: 1 },
  });
}
