import type { DueDelivery, OpenLane } from '@libs/persistence/channels';
import { DeliveryAbandoned, letter, mailErrorName, within, type MailTransport } from '../../mail/index.js';
import { ChannelSender, SendingAborted, type Sent } from './channel-sender.js';

/** A mail to one address, as text and as HTML. */
export class EmailSender extends ChannelSender {
  constructor(private readonly transport: MailTransport) {
    super();
  }

  async send(channel: OpenLane, delivery: DueDelivery, signal: AbortSignal): Promise<Sent> {
    const { subject, content, messageId, eventAt } = delivery;
    const text = letter({
      paragraphs: [subject, ...content.split('\n'), `At ${eventAt.toISOString()}.`].filter(Boolean),
      closing: [
        `You get this mail because ${channel.tenantName} sends notifications to this address (${channel.name}).`,
      ],
    });
    const mail = {
      to: channel.destination,
      subject: `[${channel.tenantName}] ${subject}`,
      messageId,
      createdAt: eventAt,
    };
    try {
      await within(this.transport.deliver({ ...mail, ...text }), signal);
      return { status: null, error: null, response: null };
    } catch (error) {
      if (error instanceof DeliveryAbandoned && signal.aborted) throw new SendingAborted();
      return { status: null, error: `the mail was not taken: ${mailErrorName(error)}`, response: null };
    }
  }
}
