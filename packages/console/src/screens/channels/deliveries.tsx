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
import { requestsOf } from './owner.js';
import { useState } from 'react';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/text/code.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Problem } from '../../ui/problem.js';

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

/** What was sent, and each attempt. */
function DeliveryLog({ tenantId, channel, owner, deliveryId }: ChannelProps & { deliveryId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { reads, ids } = requestsOf(owner);
  const { data, error, isLoading } = useQuery({
    ...readQuery(tenantId, reads.delivery, { ...ids, channel_id: channel.id, delivery_id: deliveryId }),
    enabled: isOpen,
  });
  return (
    <>
      <Button opens="dialog" onPress={() => setOpen(true)}>
        Show
      </Button>{' '}
      {isOpen && (
        <Dialog title="Delivery" onClose={() => setOpen(false)}>
          {error && <Problem error={error} />}
          {isLoading && <p role="status">Loading …</p>}
          {data && (
            <>
              <p>
                <bdi>{data.subject}</bdi>
              </p>
              <Code label="Content" text={data.content} />
              <Code label="Attempts" text={JSON.stringify(data.log, null, 2)} />
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
