import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { RequestForm } from '../../request/request-form.js';
import { Problem } from '../../ui/problem.js';
import type { ChannelProps } from './channel-props.js';
import { everyEventOf, requestsOf } from './owner.js';

/** All subscriptions of a channel, to be replaced at once. Only a single subscription has its whole scope, so each one is read. */
export function AllSubscriptions({ tenantId, channel, owner }: ChannelProps) {
  const { reads, changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const { data: known, error } = useQuery({
    queryKey: ['tenant', tenantId, 'all subscriptions', { channel_id: channel.id }],
    queryFn: async ({ client }) => {
      const { items } = await client.fetchQuery(readQuery(tenantId, reads.subscriptions, { ...ids, results: 100 }));
      const one = (id: number) => readQuery(tenantId, reads.subscription, { ...ids, subscription_id: id });
      return Promise.all(items.map(({ id }) => client.fetchQuery(one(id))));
    },
    throwOnError: false,
  });
  if (error) return <Problem error={error} />;
  if (!known) return <p role="status">Loading …</p>;
  return (
    <RequestForm
      {...{ tenantId, ids, scope }}
      request={changes.replaceAll}
      initial={{ subscriptions: known.map(writtenOf) }}
      action="Replace all subscriptions"
      question={({ subscriptions }) =>
        Array.isArray(subscriptions) && subscriptions.length > 0
          ? undefined
          : `Delete all subscriptions? Without a subscription, the channel gets ${everyEventOf(owner)}.`
      }
    />
  );
}

const idsOf = (things: readonly { id: number }[] | undefined): number[] => (things ?? []).map(({ id }) => id);

/** A subscription as the API takes it. */
const writtenOf = (one: Main.SubscriptionView) => ({
  message_types: one.message_types,
  scope_tenant_ids: idsOf(one.scope_tenants),
  scope_division_ids: idsOf(one.scope_divisions),
  scope_environment_ids: idsOf(one.scope_environments),
  scope_deployment_ids: idsOf(one.scope_deployments),
});
