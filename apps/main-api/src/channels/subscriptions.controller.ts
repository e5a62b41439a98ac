import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  AuditedWhenChanged,
  Creates,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  idParameter,
  IfMatch,
  InTransaction,
  LocatedAt,
  NoContent,
  PageQuery,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type ChannelId, type SubscriptionId } from '@libs/domain';
import { A_CHANNEL, OfChannel } from './channel-owner.js';
import { SubscriptionDto, SubscriptionsDto } from './dto/subscription.dto.js';
import { SubscriptionItemView, SubscriptionView } from './dto/subscription.view.js';
import { SubscriptionsService } from './subscriptions.service.js';

@ApiTags('Notifications')
@Controller(A_CHANNEL.map((path) => `${path}/subscriptions`))
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  /** Adds a subscription to a channel. From now on the channel receives only events that match a subscription. */
  @Post()
  @RequirePermission('notifications:manage')
  @Idempotent()
  @Audited('subscription_created')
  @OfChannel()
  @Creates(SubscriptionView, 'subscription')
  @LocatedAt(':subscription')
  @WithinPlan('notification_subscriptions_limit')
  create(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @Body() dto: SubscriptionDto,
  ): Promise<Written<SubscriptionView>> {
    return this.subscriptions.create(actor, channelId, dto);
  }

  /**
   * Replaces all subscriptions of a channel. With an empty list the channel receives every event. The etag is that of the
   * list, read as one page.
   */
  @Put()
  @RequirePermission('notifications:manage')
  @Idempotent()
  @AuditedWhenChanged('subscriptions_replaced')
  @OfChannel()
  @HonoursIfMatch()
  @NoContent()
  @WithinPlan('notification_subscriptions_limit')
  replace(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @Body() dto: SubscriptionsDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.subscriptions.replace(actor, channelId, dto, precondition);
  }

  /** Lists the subscriptions of a channel. */
  @Get()
  @RequirePermission('notifications:read')
  @OfChannel()
  @ReturnsPageOf(SubscriptionItemView)
  @FailsWith('validation_failed')
  list(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @Query() query: PageQuery,
  ): Promise<Page<SubscriptionItemView>> {
    return this.subscriptions.list(actor, channelId, query);
  }

  /** Reads one subscription with its full scope. */
  @Get(':subscription_id')
  @RequirePermission('notifications:read')
  @OfChannel()
  @idParameter('subscription_id', 'A subscription of the channel.')
  @Returns(SubscriptionView)
  @FailsWith('subscription_not_found')
  get(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('subscription_id') id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.subscriptions.get(actor, channelId, id);
  }

  /** Deletes a subscription. A channel without subscriptions receives every event. */
  @Delete(':subscription_id')
  @RequirePermission('notifications:manage')
  @InTransaction()
  @Audited('subscription_deleted')
  @OfChannel()
  @idParameter('subscription_id', 'A subscription of the channel.')
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('subscription_not_found')
  delete(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('subscription_id') id: SubscriptionId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.subscriptions.delete(actor, channelId, id, precondition);
  }
}
