import { DomainError, type FeatureFlag, type LimitName } from '@libs/domain';
import type { Entitlements } from './entitlements.js';

/** @throws DomainError plan_feature_required */
export function requireFeature(entitlements: Entitlements, flag: FeatureFlag): void {
  if (entitlements.has(flag)) return;
  throw new DomainError('plan_feature_required', `The plan does not include ${flag}.`, { members: { feature: flag } });
}

/** @throws DomainError plan_limit_reached, when `wanted` is above the limit */
export function requireWithin(entitlements: Entitlements, limit: LimitName, wanted: number): void {
  if (wanted > 0) requireBelowLimit(entitlements, limit, wanted - 1);
}

/** @throws DomainError plan_limit_reached, when one more would exceed the limit */
export function requireBelowLimit(entitlements: Entitlements, limit: LimitName, usage: number): void {
  const value = entitlements.limit(limit);
  if (usage < value) return;
  throw new DomainError('plan_limit_reached', `The plan allows ${value} (${limit}).`, {
    members: { limit_name: limit, limit: value, usage },
  });
}
