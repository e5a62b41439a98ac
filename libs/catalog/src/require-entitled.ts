import { DomainError, type FeatureFlag, type LimitName } from '@libs/domain';
import type { Entitlements } from './entitlements.js';

/** @throws DomainError plan_feature_required */
export function requireFeature(entitlements: Entitlements, flag: FeatureFlag): void {
  if (entitlements.has(flag)) return;
  throw new DomainError('plan_feature_required', `The plan does not include ${flag}.`, { members: { feature: flag } });
}

/**
 * For a limit of one resource, such as the nodes of a deployment.
 * @throws DomainError plan_limit_reached, when `requested` is above the limit
 */
export function requireWithin(entitlements: Entitlements, limit: LimitName, requested: number): void {
  if (requested > 0) requireBelowLimit(entitlements, limit, 0, requested);
}

/** @throws DomainError plan_limit_reached, when `requested` more would exceed the limit */
export function requireBelowLimit(entitlements: Entitlements, limit: LimitName, usage: number, requested = 1): void {
  const value = entitlements.limit(limit);
  if (usage + requested <= value) return;
  throw new DomainError('plan_limit_reached', `The plan allows ${value} (${limit}).`, {
    members: { limit_name: limit, limit: value, usage, requested },
  });
}
