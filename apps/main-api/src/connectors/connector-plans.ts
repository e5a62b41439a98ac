import type { ConnectorPlugin } from '@libs/broker-config';
import { requireFeature, type Entitlements } from '@libs/catalog';

/** Whether the plan includes a connector (C-10.6: all plans have the basic ones). */
export const isPermitted = (entitlements: Entitlements, { isBasic }: ConnectorPlugin): boolean =>
  isBasic || entitlements.has('advanced_connectors_enabled');

/** @throws DomainError plan_feature_required */
export function requirePermitted(entitlements: Entitlements, plugin: ConnectorPlugin): void {
  if (!plugin.isBasic) requireFeature(entitlements, 'advanced_connectors_enabled');
}
