import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { FILTERS } from '../../generated/values.js';
import { RequestButton } from '../../request/request-button.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import { Status } from '../../ui/text/status.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import type { ChannelProps } from './channel-props.js';
import { DeliveryLog } from './delivery-log.js';
import { requestsOf } from './owner.js';

/** Often enough to see the end of a test. */
const DELIVERIES_MS = 3_000;
const STATES = [{ name: 'status', label: 'State', choices: choicesOf(FILTERS['deliveries.list'].status) }];

/** What the channel has sent, newest first, and what went wrong. */
export function Deliveries({ tenantId, channel, owner }: ChannelProps) {
  const { page = 1, status } = useSearch({ from: '/signed-in/t/$tenantId/channels/$channelId' });
  const { reads, changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const deliveries = useQuery({
    ...readQuery(tenantId, reads.deliveries, {
      ...ids,
      page,
      ...(status && { status: status as Main.DeliveryItemView['status'] }),
    }),
    refetchInterval: DELIVERIES_MS,
  });
  return (
    <Section title="Deliveries">
      <Filters fields={STATES} values={{ ...owner, status }} />
      <List
        label="Deliveries"
        query={deliveries}
        columns={columnsOf((one) => (
          <>
            <DeliveryLog {...{ tenantId, channel, owner }} deliveryId={one.id} />
            <RequestButton
              {...{ tenantId, scope, ids: { ...ids, delivery_id: one.id } }}
              request={changes.redeliver}
              action="Send again"
            />
          </>
        ))}
        keyOf={({ id }) => id}
        empty="The channel has sent nothing."
      />
    </Section>
  );
}

const columnsOf = (
  actions: (one: Main.DeliveryItemView) => React.ReactNode,
): readonly Column<Main.DeliveryItemView>[] => [
  { title: 'Event', cell: ({ message_type }) => message_type.replaceAll('_', ' ') },
  { title: 'State', cell: ({ status }) => <Status of={status} /> },
  { title: 'Reason', cell: ({ status_reason }) => status_reason },
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Actions', cell: actions },
];
