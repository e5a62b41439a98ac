import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/text/time.js';
import { Deliveries } from './deliveries.js';
import type { ChannelProps } from './channel-props.js';
import { ChannelSecret } from './new-channel.js';
import { requestsOf } from './owner.js';
import { Subscriptions } from './subscriptions.js';

/** One channel: its settings, its subscriptions, and what was sent. */
export function ChannelScreen() {
  const { tenantId, channelId } = useParams({ from: '/signed-in/t/$tenantId/channels/$channelId' });
  const { division } = useSearch({ from: '/signed-in/t/$tenantId/channels/$channelId' });
  const owner = division === undefined ? {} : { division };
  const { reads, ids } = requestsOf(owner);
  const { data: channel, error } = useQuery(readQuery(tenantId, reads.get, { ...ids, channel_id: channelId }));
  return (
    <>
      <TenantHead
        above={
          <Link to="/t/$tenantId/channels" params={{ tenantId }} search={owner}>
            Channels
          </Link>
        }
        title={<bdi>{channel?.name ?? 'Channel'}</bdi>}
      />
      {error && <Problem error={error} />}
      {channel && <ChannelParts {...{ tenantId, channel, owner }} />}
    </>
  );
}

function ChannelParts(props: ChannelProps) {
  const { channel } = props;
  return (
    <>
      <Facts
        values={{
          Kind: channel.channel,
          Destination: <bdi>{channel.destination}</bdi>,
          State: stateOf(channel),
          Remarks: channel.remarks && <bdi>{channel.remarks}</bdi>,
          Created: <Time at={channel.created_at} />,
        }}
      />
      <Settings {...props} />
      <Subscriptions {...props} />
      <Deliveries {...props} />
    </>
  );
}

/** What a person must know about a channel, in words. */
function stateOf({ enabled, confirmed }: Main.ChannelView): string {
  if (!enabled) return 'off';
  return confirmed ? 'on' : 'waits for the confirmation of the address';
}

function Settings({ tenantId, channel, owner }: ChannelProps) {
  const { changes, ids, scope } = requestsOf(owner);
  return (
    <Section title="Settings">
      <Disclosure title="Change the channel">
        <RequestForm
          {...{ tenantId, scope, ids: { ...ids, channel_id: channel.id } }}
          request={changes.update}
          own={{
            'settings.slack.channel': { label: 'Slack channel', when: () => channel.channel === 'slack' },
            'settings.slack.username': { label: 'Slack sender', when: () => channel.channel === 'slack' },
            'settings.webhook.headers': { label: 'Headers, as JSON', when: () => channel.channel === 'webhook' },
            enabled: { label: 'The channel sends events', hint: '' },
          }}
          record={{ ...channel }}
          action="Save"
        />
      </Disclosure>
      <Actions {...{ tenantId, channel, owner }} />
    </Section>
  );
}

function Actions({ tenantId, channel, owner }: ChannelProps) {
  const { changes, ids, scope } = requestsOf(owner);
  const [secret, setSecret] = useState<string | null>(null);
  const navigate = useNavigate();
  const request = { tenantId, scope, ids: { ...ids, channel_id: channel.id } };
  return (
    <>
      {secret !== null && <ChannelSecret name={channel.name} secret={secret} />}
      <ButtonRow>
        <RequestButton {...request} request={changes.test} action="Send a test event" />
        {channel.channel === 'email' && !channel.confirmed && (
          <RequestButton {...request} request={changes.confirm} action="Send the confirmation again" />
        )}
        {channel.channel === 'webhook' && (
          <RequestButton<Main.ChannelWithSecretView>
            {...request}
            request={changes.rotate}
            action="New secret"
            question={`Replace the secret of ${channel.name}? The old secret ends at once.`}
            onDone={(made) => setSecret(made.secret ?? null)}
          />
        )}
        <RequestButton
          {...request}
          request={changes.remove}
          action="Delete"
          question={`Delete the channel ${channel.name} with its subscriptions?`}
          onDone={() => navigate({ to: '/t/$tenantId/channels', params: { tenantId }, search: owner })}
        />
      </ButtonRow>
    </>
  );
}
