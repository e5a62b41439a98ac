import { Injectable } from '@nestjs/common';
import type { ActingCaller } from '@libs/http';
import type { Channel, ChannelChanges } from '@libs/persistence/channels';
import { ChannelLedger } from './channel-ledger.js';
import { ChannelConfirmations } from './confirmation/channel-confirmations.js';
import { auditData, changedData } from './to-channel-view.js';

/** Announces a new or changed channel: to the audit, and to the reader of an address that must confirm it. */
@Injectable()
export class ChannelAnnouncements {
  constructor(
    private readonly ledger: ChannelLedger,
    private readonly confirmations: ChannelConfirmations,
  ) {}

  /** If no link may be mailed now, the tenant can request one later. */
  async created(actor: ActingCaller, channel: Channel): Promise<void> {
    await this.ledger.record(actor, 'channel_created', auditData(channel));
    await this.confirmations.ask(actor, channel);
  }

  /** `after` is the channel as stored after the change. */
  async changed(actor: ActingCaller, before: Channel, changes: ChannelChanges, after: Channel): Promise<void> {
    await this.ledger.record(actor, 'channel_updated', changedData(before, changes));
    if (changes.destination !== undefined) await this.confirmations.requestAgain(actor, after);
  }
}
