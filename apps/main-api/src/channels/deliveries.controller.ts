import { Get, Post, Query } from '@nestjs/common';
import type { ChannelId, DeliveryId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  Lists,
  TimedListQuery,
  PathId,
  Reads,
  Routes,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { A_CHANNEL, CHANNEL_ID } from './channel-owner.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveriesQuery } from './dto/deliveries.query.js';
import { DeliveryItemView, DeliveryView, NotificationView } from './dto/delivery.view.js';

@Routes(A_CHANNEL, 'Notifications', { ...CHANNEL_ID, delivery_id: 'A delivery of the channel.' })
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** Lists the notifications that were delivered; they are kept for 90 days. */
  @Get('notifications')
  @Lists('notifications:read', NotificationView)
  history(
    @Actor() actor: ActingCaller,
    @PathId() channelId: ChannelId,
    @Query() query: TimedListQuery,
  ): Promise<Page<NotificationView>> {
    return this.deliveries.history(actor, channelId, query);
  }

  /** Lists the deliveries of the channel, with the last attempt of each. */
  @Get('deliveries')
  @Lists('notifications:read', DeliveryItemView)
  list(
    @Actor() actor: ActingCaller,
    @PathId() channelId: ChannelId,
    @Query() query: DeliveriesQuery,
  ): Promise<Page<DeliveryItemView>> {
    return this.deliveries.list(actor, channelId, query);
  }

  /** Reads one delivery with its attempts. */
  @Get('deliveries/:delivery_id')
  @Reads('notifications:read', DeliveryView)
  get(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('delivery_id') id: DeliveryId,
  ): Promise<DeliveryView> {
    return this.deliveries.get(actor, channelId, id);
  }

  /**
   * Redelivers a delivery that succeeded or failed, with the same `webhook-id` and retries for 24 hours. Limited to one
   * redelivery every 10 seconds.
   */
  @Post('deliveries/:delivery_id/redeliver')
  @Writes('notifications:manage', 'notification_redelivered')
  @FailsWith('state_conflict', 'redelivery_too_soon')
  redeliver(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('delivery_id') id: DeliveryId,
  ): Promise<void> {
    return this.deliveries.redeliver(actor, channelId, id);
  }
}
