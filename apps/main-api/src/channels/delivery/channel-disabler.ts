import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ChannelId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { ChannelsRepository, type DisabledChannel } from '@libs/persistence/channels';
import { renderMail, Mailbox } from '../../mail/index.js';
import { ChannelLedger } from '../channel-ledger.js';

/** Disables a channel that has failed for five days, and informs the owner of the tenant (C-24.13). */
@Injectable()
export class ChannelDisabler {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelsRepository,
    private readonly mailbox: Mailbox,
    private readonly ledger: ChannelLedger,
  ) {}

  async disable(id: ChannelId): Promise<void> {
    await this.database.transaction(async () => {
      const channel = await this.channels.disableUnscoped(id);
      if (!channel) return;
      // No request caused this, so a new trace starts here.
      await this.ledger.recordWithoutAuthor('channel_disabled', channel, randomBytes(16).toString('hex'));
      await this.mailbox.post({ to: channel.ownerEmail, ...announcement(channel) });
    });
  }
}

function announcement({ tenantName, divisionName, channel, name }: DisabledChannel) {
  const where = divisionName === null ? tenantName : `${divisionName} of ${tenantName}`;
  return {
    subject: `The channel ${name} is disabled`,
    ...renderMail({
      paragraphs: [
        `Landlord has disabled the ${channel} channel ${name} of ${where}.`,
        'The destination has accepted no notification for five days.',
      ],
      closing: [
        'The deliveries of the channel show the answers of the destination.',
        'Enable the channel when the destination works again. Landlord then delivers the notifications of the last 24 hours.',
      ],
    }),
  };
}
