import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import type { ChannelProps } from './channel-props.js';
import { requestsOf } from './owner.js';

/** The things whose events a subscription sends. */
export function SubscriptionScope({
  tenantId,
  channel,
  owner,
  subscriptionId,
}: ChannelProps & { subscriptionId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { reads, ids } = requestsOf(owner);
  const { data, error, isLoading } = useQuery({
    ...readQuery(tenantId, reads.subscription, { ...ids, channel_id: channel.id, subscription_id: subscriptionId }),
    enabled: isOpen,
  });
  return (
    <>
      <Button opens="dialog" onPress={() => setOpen(true)}>
        Show the scope
      </Button>
      {isOpen && (
        <Dialog title="Scope of the subscription" onClose={() => setOpen(false)}>
          {error && <Problem error={error} />}
          {isLoading && <p role="status">Loading …</p>}
          {data && (
            <Facts
              values={{
                Divisions: namesOf(data.scope_divisions),
                Environments: namesOf(data.scope_environments),
                Deployments: namesOf(data.scope_deployments),
              }}
            />
          )}
        </Dialog>
      )}
    </>
  );
}

const namesOf = (things: readonly Main.ScopedThingView[] = []) =>
  things.length === 0 ? 'all' : <bdi>{things.map(({ name }) => name).join(', ')}</bdi>;
