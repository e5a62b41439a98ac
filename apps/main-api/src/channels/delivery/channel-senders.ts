import { Inject, Injectable } from '@nestjs/common';
import type { ChannelId } from '@libs/domain';
import { OutboundClient } from '@libs/outbound';
import { Secrets } from '@libs/persistence';
import { addressHash } from '@libs/persistence/channels';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { MailTransport } from '../../mail/index.js';
import { pageUrl } from '../../platform/index.js';
import { leavingToken } from '../confirmation/leaving-token.js';
import { EmailSender } from './email.sender.js';
import type { Senders } from './channel-queue-run.js';
import { SlackSender } from './slack.sender.js';
import { WebhookSender } from './webhook.sender.js';

/** Many tenants may use one host. Requests of some tenants that hang there must leave connections for the others. */
const CONNECTIONS_PER_HOST = 100;

/** The senders by kind of channel. They share one HTTP client. */
@Injectable()
export class ChannelSenders {
  readonly byKind: Senders;
  private readonly client: OutboundClient;

  constructor(@Inject(MAIN_API_CONFIG) config: MainApiConfig, transport: MailTransport, secrets: Secrets) {
    const leavingUrl = (channelId: ChannelId, address: string): string =>
      pageUrl(config, '/unsubscribe', leavingToken(secrets, channelId, addressHash(address)));
    this.client = new OutboundClient({
      allowPrivate: config.ALLOW_PRIVATE_DESTINATIONS,
      connections: CONNECTIONS_PER_HOST,
    });
    this.byKind = {
      webhook: new WebhookSender(this.client),
      slack: new SlackSender(this.client),
      email: new EmailSender(transport, leavingUrl),
    };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
