import { Module } from '@nestjs/common';
import { ChannelLedger } from './channel-ledger.js';
import { ConfirmationNoticesJob } from './confirmation/confirmation-notices-job.js';
import { ChannelSenders } from './delivery/channel-senders.js';
import { ChannelDisabler } from './delivery/channel-disabler.js';
import { DeliveryGauges } from './delivery/delivery-gauges.js';
import { FanOutReconciler } from './delivery/fan-out-reconciler.js';
import { ChannelQueueReconciler } from './delivery/channel-queue-reconciler.js';
import { NotificationRetentionJob } from './delivery/notification-retention-job.js';

/** The work of worker processes for channels: fan-out of events, deliveries, and their deletion. */
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
