import type { OutboundClient } from '@libs/outbound';
import type { DueDelivery, OpenChannelQueue } from '@libs/persistence/channels';
import { ChannelSender, type Sent } from './channel-sender.js';
import { postJson } from './post-json.js';

interface SlackSettings {
  slack?: { channel?: string; username?: string };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Names in a text must not become links or mentions of everyone. */
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '');

/** Sends to an incoming hook of Slack or a compatible service. */
export class SlackSender extends ChannelSender {
  constructor(private readonly client: OutboundClient) {
    super();
  }

  async send({ destination, settings }: OpenChannelQueue, delivery: DueDelivery, signal: AbortSignal): Promise<Sent> {
    const { subject, content } = delivery;
    const text = `*${escaped(subject).replaceAll('*', '∗')}*\n${escaped(content)}`;
    const body = JSON.stringify({ text, ...(settings as SlackSettings | null)?.slack });
    return postJson(this.client, { url: destination, headers: {}, body, signal });
  }
}
