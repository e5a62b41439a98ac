import type { OutboundClient } from '@libs/outbound';
import type { DueDelivery, OpenChannelQueue } from '@libs/persistence/channels';
import { ChannelSender, type Sent } from './channel-sender.js';
import { postJson } from './post-json.js';
import { signatureHeaders, webhookBody } from './webhook-message.js';

interface WebhookSettings {
  webhook?: { headers?: Record<string, string> };
}

/** Sends HTTPS POST requests with a signed JSON body. */
export class WebhookSender extends ChannelSender {
  constructor(private readonly client: OutboundClient) {
    super();
  }

  async send(
    { destination, settings, secrets }: OpenChannelQueue,
    delivery: DueDelivery,
    signal: AbortSignal,
  ): Promise<Sent> {
    const body = webhookBody(delivery);
    const customHeaders = (settings as WebhookSettings | null)?.webhook?.headers ?? {};
    const headers = { ...customHeaders, ...signatureHeaders(delivery.messageId, body, secrets, Date.now()) };
    return postJson(this.client, { url: destination, headers, body, signal });
  }
}
