import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { structureQuery } from '../../api/queries.js';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/list/table.js';
import { SubscriptionScope } from './subscription-scope.js';
import type { ChannelProps } from './channel-props.js';
import { everyEventOf, requestsOf } from './owner.js';
import { Problem } from '../../ui/problem.js';

/** Which events go to the channel. */
export function Subscriptions({ tenantId, channel, owner }: ChannelProps) {
  const { changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const own = useScopes(tenantId);
  return (
    <Section title="Subscriptions">
      <p>
        Without a subscription, a channel gets {everyEventOf(owner)}. With subscriptions, it gets only the events that
        one of them names.
      </p>
      <Disclosure title="New subscription">
        <RequestForm
          {...{ tenantId, ids, scope, own }}
          request={changes.subscribe}
          fields={['message_types', 'scope_division_ids', 'scope_environment_ids', 'scope_deployment_ids']}
          action="Subscribe"
        />
      </Disclosure>
      <Disclosure title="Change all subscriptions">
        <AllSubscriptions {...{ tenantId, channel, owner }} />
      </Disclosure>
      <SubscriptionList {...{ tenantId, channel, owner }} />
    </Section>
  );
}

/** The subscriptions. Without one, the channel gets everything, so the question before the last one says so. */
function SubscriptionList({ tenantId, channel, owner }: ChannelProps) {
  const { reads, changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const subscriptions = useQuery(readQuery(tenantId, reads.subscriptions, { ...ids, results: 100 }));
  const every = everyEventOf(owner);
  const isLast = subscriptions.data?.total_results === 1;
  return (
    <List
      label="Subscriptions"
      query={subscriptions}
      columns={columnsOf((one) => (
        <ButtonRow>
          <SubscriptionScope {...{ tenantId, channel, owner }} subscriptionId={one.id} />
          <RequestButton
            {...{ tenantId, scope, ids: { ...ids, subscription_id: one.id } }}
            request={changes.unsubscribe}
            action="Delete"
            question={
              isLast
                ? `Delete the only subscription? Without a subscription, the channel gets ${every}.`
                : 'Delete the subscription? The channel no longer gets its events.'
            }
          />
        </ButtonRow>
      ))}
      keyOf={({ id }) => id}
      empty={`There is no subscription: the channel gets ${every}.`}
    />
  );
}

/** The names of events, and of the things that can limit a subscription. */
function useScopes(tenantId: number) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: types } = useQuery(readQuery(tenantId, 'notifications.listTypes', {}));
  const divisions = structure?.divisions ?? [];
  const environments = divisions.flatMap((division) =>
    division.environments.map((one) => ({ ...one, label: `${division.name} / ${one.name}` })),
  );
  const deployments = environments.flatMap((environment) =>
    environment.deployments.map(({ id, name }) => ({ id, label: `${environment.label} / ${name}` })),
  );
  const choice = ({ id, label }: { id: number; label: string }) => ({ value: String(id), label });
  return {
    message_types: {
      label: 'Events',
      ...(types && { choices: types.map(({ type, name }) => ({ value: type, label: name })) }),
    },
    scope_division_ids: {
      label: 'Divisions',
      choices: divisions.map(({ id, name }) => choice({ id, label: name })),
    },
    scope_environment_ids: { label: 'Environments', choices: environments.map(choice) },
    scope_deployment_ids: { label: 'Deployments', choices: deployments.map(choice) },
  };
}

const columnsOf = (
  actions: (one: Main.SubscriptionItemView) => React.ReactNode,
): readonly Column<Main.SubscriptionItemView>[] => [
  { title: 'Events', cell: ({ message_types }) => message_types.map((one) => one.replaceAll('_', ' ')).join(', ') },
  { title: 'Actions', cell: actions },
];

/** All subscriptions of a channel, to be replaced at once. Only a single subscription has its whole scope, so each one is read. */
function AllSubscriptions({ tenantId, channel, owner }: ChannelProps) {
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
