import type { ScopedThing, Subscription } from '@libs/persistence/channels';
import type { SubscriptionItemView, SubscriptionView } from './dto/subscription.view.js';

/** Leaves out a level without entries (C-24.7). */
const level = <Name extends string>(
  name: Name,
  things: ScopedThing<number>[],
): Partial<Record<Name, ScopedThing<number>[]>> =>
  (things.length === 0 ? {} : { [name]: things }) as Partial<Record<Name, ScopedThing<number>[]>>;

export const toItemView = (subscription: Subscription): SubscriptionItemView => ({
  id: subscription.id,
  channel_id: subscription.channelId,
  message_types: subscription.messageTypes,
  ...level('scope_tenants', subscription.scopeTenants),
  ...level('scope_divisions', subscription.scopeDivisions),
  created_at: subscription.createdAt.toISOString(),
  updated_at: subscription.updatedAt.toISOString(),
});

export const toView = (subscription: Subscription): SubscriptionView => ({
  ...toItemView(subscription),
  ...level('scope_environments', subscription.scopeEnvironments),
  ...level('scope_deployments', subscription.scopeDeployments),
});
