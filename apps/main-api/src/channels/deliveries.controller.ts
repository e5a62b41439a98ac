import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ChannelId, DeliveryId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  idParameter,
  NoContent,
  PageQuery,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { A_CHANNEL, OfChannel } from './channel-owner.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveriesQuery } from './dto/deliveries.query.js';
import { DeliveryItemView, DeliveryView, NotificationView } from './dto/delivery.view.js';

@ApiTags('Notifications')
@Controller(A_CHANNEL)
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** Lists the notifications that were delivered; they are kept for 90 days. */
  @Get('notifications')
  @RequirePermission('notifications:read')
  @OfChannel()
  @ReturnsPageOf(NotificationView)
  @FailsWith('validation_failed')
  history(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @Query() query: PageQuery,
  ): Promise<Page<NotificationView>> {
    return this.deliveries.history(actor, channelId, query);
  }

  /** Lists the deliveries of the channel, with the last attempt of each. */
  @Get('deliveries')
  @RequirePermission('notifications:read')
  @OfChannel()
  @ReturnsPageOf(DeliveryItemView)
  @FailsWith('validation_failed')
  list(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @Query() query: DeliveriesQuery,
  ): Promise<Page<DeliveryItemView>> {
    return this.deliveries.list(actor, channelId, query);
  }

  /** Reads one delivery with its attempts. */
  @Get('deliveries/:delivery_id')
  @RequirePermission('notifications:read')
  @OfChannel()
  @idParameter('delivery_id', 'A delivery of the channel.')
  @Returns(DeliveryView)
  @FailsWith('delivery_not_found')
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
  @RequirePermission('notifications:manage')
  @Idempotent()
  @Audited('notification_redelivered')
  @OfChannel()
  @idParameter('delivery_id', 'A delivery of the channel.')
  @NoContent()
  @FailsWith('delivery_not_found', 'state_conflict', 'redelivery_too_soon')
  redeliver(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('delivery_id') id: DeliveryId,
  ): Promise<void> {
    return this.deliveries.redeliver(actor, channelId, id);
  }
}
