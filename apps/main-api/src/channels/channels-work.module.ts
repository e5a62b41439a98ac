import { Module } from '@nestjs/common';
import { ChannelLedger } from './channel-ledger.js';
import { ConfirmationNotices } from './confirmation/confirmation-notices.js';
import { ChannelSenders } from './delivery/channel-senders.js';
import { ChannelSurrender } from './delivery/channel-surrender.js';
import { DeliveryGauges } from './delivery/delivery-gauges.js';
import { FanOut } from './delivery/fan-out.js';
import { LaneKeeper } from './delivery/lane-keeper.js';
import { NotificationRetention } from './delivery/notification-retention.js';

/** What worker processes do for channels: handing events on, delivering them, and forgetting them. */
@Module({
  providers: [
    ChannelLedger,
    ChannelSenders,
    ChannelSurrender,
    LaneKeeper,
    FanOut,
    DeliveryGauges,
    NotificationRetention,
    ConfirmationNotices,
  ],
})
export class ChannelsWorkModule {}
