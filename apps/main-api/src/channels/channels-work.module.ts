import { Module } from '@nestjs/common';
import { ChannelLedger } from './channel-ledger.js';
import { ConfirmationNoticesJob } from './confirmation/confirmation-notices-job.js';
import { ChannelSenders } from './delivery/channel-senders.js';
import { ChannelDisabler } from './delivery/channel-disabler.js';
import { DeliveryGauges } from './delivery/delivery-gauges.js';
import { FanOutReconciler } from './delivery/fan-out-reconciler.js';
import { ChannelQueueReconciler } from './delivery/channel-queue-reconciler.js';
import { NotificationRetentionJob } from './delivery/notification-retention-job.js';

/** What worker processes do for channels: handing events on, delivering them, and forgetting them. */
@Module({
  providers: [
    ChannelLedger,
    ChannelSenders,
    ChannelDisabler,
    ChannelQueueReconciler,
    FanOutReconciler,
    DeliveryGauges,
    NotificationRetentionJob,
    ConfirmationNoticesJob,
  ],
})
export class ChannelsWorkModule {}
