import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { SelectField } from '../../ui/form/field.js';
import { List } from '../../ui/list.js';
import { Section } from '../../ui/section.js';
import { Status } from '../../ui/status.js';
import type { Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import type { ChannelProps } from './channel-screen.js';
import { DeliveryLog } from './delivery-log.js';
import { requestsOf } from './owner.js';
import { DELIVERY_STATES } from './search.js';

/** Often enough to see the end of a test. */
const DELIVERIES_MS = 3_000;

/** What the channel has sent, newest first, and what went wrong. */
export function Deliveries({ tenantId, channel, owner }: ChannelProps) {
  const { page = 1, status } = useSearch({ from: '/signed-in/t/$tenantId/channels/$channelId' });
  const { reads, changes, ids: above, scope } = requestsOf(owner);
  const ids = { ...above, channel_id: channel.id };
  const deliveries = useQuery({
    ...readQuery(tenantId, reads.deliveries, { ...ids, page, ...(status && { status }) }),
    refetchInterval: DELIVERIES_MS,
  });
  return (
    <Section title="Deliveries">
      <StatusField status={status} />
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

function StatusField({ status }: { status: string | undefined }) {
  const navigate = useNavigate();
  const choices = DELIVERY_STATES.map((value) => ({ value, label: value }));
  return (
    <SelectField
      label="State"
      name="status"
      value={status ?? ''}
      onChange={(chosen) =>
        void navigate({
          to: '.',
          search: ({ division }: { division?: number }) => ({
            ...(division !== undefined && { division }),
            ...(chosen !== '' && { status: chosen as (typeof DELIVERY_STATES)[number] }),
          }),
        })
      }
      choices={[{ value: '', label: 'All' }, ...choices]}
    />
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
