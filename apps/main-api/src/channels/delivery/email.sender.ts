import { withoutWebAddresses, type ChannelId } from '@libs/domain';
import type { DueDelivery, OpenChannelQueue } from '@libs/persistence/channels';
import { DeliveryAbandoned, renderMail, mailErrorName, within, type MailTransport } from '../../mail/index.js';
import { ChannelSender, SendingAborted, type Sent } from './channel-sender.js';

/**
 * Sends a mail to one address, as text and as HTML. For readers who are not members, the mail has a link that ends the
 * mails.
 */
export class EmailSender extends ChannelSender {
  constructor(
    private readonly transport: MailTransport,
    /** Returns the URL of the page that ends the mails of a channel to an address. */
    private readonly leavingUrl: (channelId: ChannelId, address: string) => string,
  ) {
    super();
  }

  async send(channel: OpenChannelQueue, delivery: DueDelivery, signal: AbortSignal): Promise<Sent> {
    const { subject, content, messageId, eventAt } = delivery;
    const text = renderMail({
      paragraphs: [
        ...[subject, ...content.split('\n'), `At ${eventAt.toISOString()}.`].filter(Boolean),
        `You get this mail because ${channel.tenantName} sends notifications to this address (${channel.name}).`,
      ],
      ...(channel.consent === 'reader' && { link: this.leaving(channel) }),
    });
    const mail = {
      to: channel.destination,
      subject: withoutWebAddresses(`[${channel.tenantName}] ${subject}`),
      messageId,
      createdAt: eventAt,
    };
    try {
      await within(this.transport.deliver({ ...mail, ...text }), signal);
      return { status: null, error: null, response: null };
    } catch (error) {
      if (error instanceof DeliveryAbandoned && signal.aborted) throw new SendingAborted();
      return {
        status: null,
        error: `the mail server did not accept the mail: ${mailErrorName(error)}`,
        response: null,
      };
    }
  }

  private leaving({ channelId, destination }: OpenChannelQueue): { words: string; url: string } {
    return { words: 'Stop these mails', url: this.leavingUrl(channelId, destination) };
  }
}
