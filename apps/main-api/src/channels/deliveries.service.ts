import { Injectable } from '@nestjs/common';
import { DomainError, type ChannelId, type DeliveryId } from '@libs/domain';
import { Page, type ActingCaller, type TimedListQuery } from '@libs/http';
import {
  ChannelPaceRepository,
  ChannelsRepository,
  DeliveriesRepository,
  type Delivery,
} from '@libs/persistence/channels';
import { ChannelLedger } from './channel-ledger.js';
import { ownerOf } from './channel-owner.js';
import { found, PAUSE_SECONDS, requireEnabled } from './channels.service.js';
import type { DeliveriesQuery } from './dto/deliveries.query.js';
import type { DeliveryItemView, DeliveryView, NotificationView } from './dto/delivery.view.js';
import { toItemView, toNotificationView, toView } from './to-delivery-view.js';

/** The deliveries of channels. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly pace: ChannelPaceRepository,
    private readonly ledger: ChannelLedger,
  ) {}

  /** Lists delivered notifications. @throws DomainError channel_not_found */
  async history(actor: ActingCaller, channelId: ChannelId, query: TimedListQuery): Promise<Page<NotificationView>> {
    found(await this.channels.find(ownerOf(actor), channelId));
    return Page.of(await this.deliveries.history(actor.tenantId, channelId, query), toNotificationView, query);
  }

  /** @throws DomainError channel_not_found */
  async list(actor: ActingCaller, channelId: ChannelId, query: DeliveriesQuery): Promise<Page<DeliveryItemView>> {
    found(await this.channels.find(ownerOf(actor), channelId));
    return Page.of(
      await this.deliveries.list(actor.tenantId, channelId, query.status ?? null, query),
      toItemView,
      query,
    );
  }

  /** @throws DomainError channel_not_found, delivery_not_found */
  async get(actor: ActingCaller, channelId: ChannelId, id: DeliveryId): Promise<DeliveryView> {
    found(await this.channels.find(ownerOf(actor), channelId));
    return toView(foundDelivery(await this.deliveries.find(actor.tenantId, channelId, id)));
  }

  /** @throws DomainError channel_not_found, delivery_not_found, state_conflict, redelivery_too_soon */
  async redeliver(actor: ActingCaller, channelId: ChannelId, id: DeliveryId): Promise<void> {
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), channelId));
    const delivery = foundDelivery(await this.deliveries.find(actor.tenantId, channelId, id));
    requireEnabled(channel);
    const wait = await this.pace.takeUnscoped(channelId, 'redelivery', PAUSE_SECONDS);
    if (wait > 0)
      throw new DomainError('redelivery_too_soon', `Try again in ${wait} seconds.`, { retryAfterSeconds: wait });
    await this.deliveries.redeliver(actor.tenantId, channelId, id);
    await this.ledger.record(actor, 'notification_redelivered', {
      channel: channel.name,
      delivery_id: id,
      message_type: delivery.messageType,
    });
  }
}

function foundDelivery(delivery: Delivery | null): Delivery {
  if (!delivery) throw new DomainError('delivery_not_found', 'No such delivery.');
  return delivery;
}
