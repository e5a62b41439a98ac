import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import { Database, Secrets } from '@libs/persistence';
import { ChannelsRepository, type DisabledChannel } from '@libs/persistence/channels';
import { letter, Mailbox } from '../../mail/index.js';

/** Switches off what has failed for days, and says so to the owner of the tenant (fills 8). */
@Injectable()
export class ChannelSurrender {
  private readonly channels: ChannelsRepository;

  constructor(
    private readonly database: Database,
    secrets: Secrets,
    private readonly mailbox: Mailbox,
    private readonly ledger: Ledger,
  ) {
    this.channels = new ChannelsRepository(database, secrets);
  }

  async disable(id: number): Promise<void> {
    await this.database.transaction(async () => {
      const channel = await this.channels.disable(id);
      if (!channel) return;
      await this.record(channel);
      await this.mailbox.post({ to: channel.ownerEmail, ...announcement(channel) });
    });
  }

  private async record({ tenantId, divisionId, divisionName, channel, name }: DisabledChannel): Promise<void> {
    await this.ledger.record({
      audit: 'channel_disabled',
      author: { user: null, apiKey: null },
      place: {
        tenantId,
        division: divisionId === null ? null : { id: divisionId, name: divisionName ?? '' },
        environment: null,
        deployment: null,
      },
      data: { channel, name },
      // Nobody asked for it: the trace begins here.
      traceId: randomBytes(16).toString('hex'),
    });
  }
}

function announcement({ tenantName, divisionName, channel, name }: DisabledChannel) {
  const where = divisionName === null ? tenantName : `${divisionName} of ${tenantName}`;
  return {
    subject: `Notifications to ${name} are switched off`,
    ...letter({
      paragraphs: [
        `The ${channel} channel ${name} of ${where} is switched off.`,
        'Its destination has not taken a single notification for five days.',
      ],
      closing: [
        'What it answered stands in the deliveries of the channel.',
        'Switch the channel on again when the destination works: what is less than a day old is delivered then.',
      ],
    }),
  };
}
