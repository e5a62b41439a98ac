import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  IfMatch,
  Lists,
  TimedListQuery,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written, type ChannelId, type SubscriptionId } from '@libs/domain';
import { A_CHANNEL, CHANNEL_ID } from './channel-owner.js';
import { SubscriptionDto, SubscriptionsDto } from './dto/subscription.dto.js';
import { SubscriptionItemView, SubscriptionView } from './dto/subscription.view.js';
import { SubscriptionsService } from './subscriptions.service.js';

@Routes(A_CHANNEL.map((path) => `${path}/subscriptions`), 'Notifications', {
  ...CHANNEL_ID,
  subscription_id: 'A subscription of the channel.',
})
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  /** Adds a subscription to a channel. From now on the channel receives only events that match a subscription. */
  @Post()
  @Writes('notifications:manage', 'subscription_created')
  @Creates(SubscriptionView, 'subscription')
  @WithinPlan('notification_subscriptions_limit')
  create(
    @Actor() actor: ActingCaller,
    @PathId() channelId: ChannelId,
    @Body() dto: SubscriptionDto,
  ): Promise<Written<SubscriptionView>> {
    return this.subscriptions.create(actor, channelId, dto);
  }

  /**
   * Replaces all subscriptions of a channel. With an empty list the channel receives every event. The etag is that of the
   * list, read as one page.
   */
  @Put()
  @WritesWhenChanged('notifications:manage', 'subscriptions_replaced')
  @WithinPlan('notification_subscriptions_limit')
  replace(
    @Actor() actor: ActingCaller,
    @PathId() channelId: ChannelId,
    @Body() dto: SubscriptionsDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.subscriptions.replace(actor, channelId, dto, precondition);
  }

  /** Lists the subscriptions of a channel. */
  @Get()
  @Lists('notifications:read', SubscriptionItemView)
  list(
    @Actor() actor: ActingCaller,
    @PathId() channelId: ChannelId,
    @Query() query: TimedListQuery,
  ): Promise<Page<SubscriptionItemView>> {
    return this.subscriptions.list(actor, channelId, query);
  }

  /** Reads one subscription with its full scope. */
  @Get(':subscription_id')
  @Reads('notifications:read', SubscriptionView)
  get(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('subscription_id') id: SubscriptionId,
  ): Promise<SubscriptionView> {
    return this.subscriptions.get(actor, channelId, id);
  }

  /** Deletes a subscription. A channel without subscriptions receives every event. */
  @Delete(':subscription_id')
  @Writes('notifications:manage', 'subscription_deleted')
  delete(
    @Actor() actor: ActingCaller,
    @PathId('channel_id') channelId: ChannelId,
    @PathId('subscription_id') id: SubscriptionId,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.subscriptions.delete(actor, channelId, id, precondition);
  }
}
