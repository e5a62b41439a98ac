import { Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import type { Channel, ChannelChanges } from '@libs/persistence/channels';
import { ChannelLedger } from './channel-ledger.js';
import { ChannelConfirmations } from './confirmation/channel-confirmations.js';
import { auditData, changedData } from './to-channel-view.js';

/** Who is told of a new or changed channel: the audit, and the reader of an address that must confirm it. */
@Injectable()
export class ChannelAnnouncements {
  constructor(
    private readonly ledger: ChannelLedger,
    private readonly confirmations: ChannelConfirmations,
  ) {}

  /** A link that may not be mailed now can be asked for later. */
  async created(actor: ActingCaller, channel: Channel): Promise<void> {
    await this.ledger.record(actor, 'channel_created', auditData(channel));
    await this.confirmations.ask(actor, channel);
  }

  /** `after` is the channel as it is stored now. */
  async changed(actor: ActingCaller, before: Channel, changes: ChannelChanges, after: Channel): Promise<void> {
    await this.ledger.record(actor, 'channel_updated', changedData(before, changes));
    if (changes.destination !== undefined) await this.confirmations.askAgain(actor, after);
  }
}
