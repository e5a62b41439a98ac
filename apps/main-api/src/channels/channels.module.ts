import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { ChannelChangesService } from './channel-changes.service.js';
import { ChannelLedger } from './channel-ledger.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { NotificationTypesController } from './notification-types.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { SubscriptionsService } from './subscriptions.service.js';

/** Notification channels, what they are told of, and what became of it. */
@Module({
  imports: [TenantsModule],
  controllers: [NotificationTypesController, ChannelsController, SubscriptionsController, DeliveriesController],
  providers: [ChannelLedger, ChannelsService, ChannelChangesService, SubscriptionsService, DeliveriesService],
})
export class ChannelsModule {}
