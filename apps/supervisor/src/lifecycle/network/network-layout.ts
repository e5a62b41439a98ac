import type { NetworkLayout } from '@libs/cloud';
import type { DeploymentFacts } from '@libs/persistence/runtime';

/** The managed tiers that include peerings (C-22.1). Routes of a peering lead to a whole network. */
export const PEERED_TIERS: readonly string[] = ['performance', 'enterprise'];

/**
 * The layout of the network that a deployment asks for. A network keeps the layout of its creation, because its nodes cannot move
 * to another one: a deployment that gets a managed tier with peerings later has none.
 */
export function networkLayoutOf({
  vpc_id,
  dedicated,
  managed_tier,
  vpc_cidr,
}: Pick<DeploymentFacts, 'vpc_id' | 'vpc_cidr' | 'dedicated' | 'managed_tier'>): NetworkLayout {
  if (vpc_id !== null) return { vpc_id, range: vpc_cidr === null ? 'free' : 'given' };
  return dedicated || PEERED_TIERS.includes(managed_tier ?? '') ? 'own' : 'shared';
}
