import type { Entitlements, Tier } from '@libs/catalog';
import { DomainError } from '@libs/domain';

/**
 * The plan's count for one compute size, under the lock of the tenant.
 * @throws DomainError plan_limit_reached, when one more would be over it
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
    members: { limit_name: 'deployment_tiers', tier, limit, usage: used },
  });
}
