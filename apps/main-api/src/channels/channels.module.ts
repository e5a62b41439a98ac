import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { ChannelAnnouncements } from './channel-announcements.js';
import { ChannelChangesService } from './channel-changes.service.js';
import { ChannelLedger } from './channel-ledger.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { ChannelConfirmations } from './confirmation/channel-confirmations.js';
import { ConfirmationsController } from './confirmation/confirmations.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { NotificationTypesController } from './notification-types.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Notification channels with their subscriptions and deliveries. */
@Module({
  imports: [TenantsModule],
  controllers: [
    NotificationTypesController,
    ConfirmationsController,
    ChannelsController,
    SubscriptionsController,
    DeliveriesController,
  ],
  providers: [
    ChannelLedger,
    ChannelAnnouncements,
    ChannelConfirmations,
    ChannelsService,
    ChannelChangesService,
    SubscriptionsService,
    DeliveriesService,
  ],
})
export class ChannelsModule {}
