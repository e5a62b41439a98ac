import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import type { OwnFields } from '../../request/request-fields.js';
import { Code } from '../../ui/text/code.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { everyEventOf, requestsOf, type OwnerSearch } from './owner.js';

const OWN: OwnFields = {
  channel: { label: 'Kind', hint: 'The kind never changes.' },
  'settings.slack.channel': { label: 'Slack channel', when: ({ channel }) => channel === 'slack' },
  'settings.slack.username': { label: 'Slack sender', when: ({ channel }) => channel === 'slack' },
  'settings.webhook.headers': { label: 'Headers, as JSON', when: ({ channel }) => channel === 'webhook' },
};

/** Creates a channel. The secret of a webhook is shown once. */
export function NewChannel({ tenantId, owner }: { tenantId: number; owner: OwnerSearch }) {
  const [made, setMade] = useState<Main.ChannelWithSecretView | null>(null);
  const { changes, ids, scope } = requestsOf(owner);
  return (
    <>
      {made?.secret !== undefined && <ChannelSecret name={made.name} secret={made.secret} />}
      <Disclosure title="New channel">
        <p>The channel gets {everyEventOf(owner)}, until it has a subscription.</p>
        <RequestForm<Main.ChannelWithSecretView>
          {...{ tenantId, ids, scope, own: OWN }}
          request={changes.create}
          action="Create the channel"
          onDone={setMade}
        />
      </Disclosure>
    </>
  );
}

export const ChannelSecret = ({ name, secret }: { name: string; secret: string }) => (
  <section role="status">
    <p>
      The channel <bdi>{name}</bdi> signs its requests with this secret. Copy the secret now: nobody can read the secret
      again.
    </p>
    <Code label="Secret" text={secret} />
  </section>
);
