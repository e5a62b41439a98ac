import type { Main } from '@landlord/sdk';
import { useQueries } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { RequestForm } from '../../request/request-form.js';
import { Problem } from '../../ui/problem.js';
import type { ChannelProps } from './channel-props.js';
import { requestsOf } from './owner.js';

interface AllSubscriptionsProps extends ChannelProps {
  subscriptions: readonly Main.SubscriptionItemView[];
}

/** All subscriptions of a channel, to be replaced at once. Only a single subscription has its whole scope, so each one is read. */
export function AllSubscriptions({ tenantId, channel, owner, subscriptions }: AllSubscriptionsProps) {
  const { reads, changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const all = useQueries({
    queries: subscriptions.map(({ id }) => readQuery(tenantId, reads.subscription, { ...ids, subscription_id: id })),
  });
  const failed = all.find(({ error }) => error !== null);
  if (failed) return <Problem error={failed.error} />;
  const known = all.flatMap(({ data }) => data ?? []);
  if (known.length < subscriptions.length) return <p role="status">Loading …</p>;
  return (
    <RequestForm
      {...{ tenantId, ids, scope }}
      request={changes.replaceAll}
      initial={{ subscriptions: known.map(writtenOf) }}
      action="Replace all subscriptions"
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
