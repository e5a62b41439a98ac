import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/text/code.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Problem } from '../../ui/problem.js';
import type { ChannelProps } from './channel-props.js';
import { requestsOf } from './owner.js';

/** What was sent, and each attempt. */
export function DeliveryLog({ tenantId, channel, owner, deliveryId }: ChannelProps & { deliveryId: number }) {
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
