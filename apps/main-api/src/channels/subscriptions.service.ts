import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  validationFailed,
  type FieldIssue,
  type Precondition,
  Written,
  type ChannelId,
  type SubscriptionId,
} from '@libs/domain';
import { Page, type ActingCaller, type TimedListQuery } from '@libs/http';
import {
  ChannelsRepository,
  SubscriptionsRepository,
  type Channel,
  type NewSubscription,
  type Subscription,
  type SubscriptionScope,
} from '@libs/persistence/channels';
import { TenantEntitlements } from '../tenants/index.js';
import { ChannelLedger } from './channel-ledger.js';
import { ownerOf } from './channel-owner.js';
import { found } from './channels.service.js';
import type { SubscriptionDto, SubscriptionsDto } from './dto/subscription.dto.js';
import type { SubscriptionItemView, SubscriptionView } from './dto/subscription.view.js';
import { toItemView, toView } from './to-subscription-view.js';

/** The names of the levels of a scope in requests. */
const LEVELS = {
  tenantIds: 'scope_tenant_ids',
  divisionIds: 'scope_division_ids',
  environmentIds: 'scope_environment_ids',
  deploymentIds: 'scope_deployment_ids',
} as const satisfies Record<keyof SubscriptionScope, keyof SubscriptionDto>;

/** The subscriptions of channels. */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: ChannelLedger,
  ) {}

  /** @throws DomainError channel_not_found */
  async list(actor: ActingCaller, channelId: ChannelId, query: TimedListQuery): Promise<Page<SubscriptionItemView>> {
    await this.channel(actor, channelId);
    return Page.of(await this.subscriptions.list(actor.tenantId, channelId, query), toItemView, query);
  }

  /** @throws DomainError channel_not_found, subscription_not_found */
  async get(actor: ActingCaller, channelId: ChannelId, id: SubscriptionId): Promise<SubscriptionView> {
    await this.channel(actor, channelId);
    return toView(foundSubscription(await this.subscriptions.find(actor.tenantId, channelId, id)));
  }

  /** @throws DomainError channel_not_found, validation_failed, plan_limit_reached */
  async create(actor: ActingCaller, channelId: ChannelId, dto: SubscriptionDto): Promise<Written<SubscriptionView>> {
    const channel = await this.lock(actor, channelId, [dto], null);
    const subscription = toSubscription(dto);
    const id = await this.subscriptions.insert(actor.tenantId, channelId, subscription);
    await this.ledger.record(actor, 'subscription_created', { channel: channel.name, ...auditData(subscription) });
    const stored = foundSubscription(await this.subscriptions.find(actor.tenantId, channelId, id));
    return new Written(toView(stored), { subscription: id });
  }

  /**
   * Changes nothing when the subscriptions are the same.
   * @throws DomainError channel_not_found, validation_failed, plan_limit_reached, precondition_failed
   */
  async replace(
    actor: ActingCaller,
    channelId: ChannelId,
    { subscriptions }: SubscriptionsDto,
    precondition: Precondition,
  ): Promise<void> {
    const channel = await this.lock(actor, channelId, subscriptions, channelId);
    if (precondition.isGiven) precondition.require(await this.list(actor, channelId, { page: 1, results: 100 }));
    const next = subscriptions.map(toSubscription);
    const [before, after] = [await this.subscriptions.all(actor.tenantId, channelId), next].map((all) =>
      all.map(auditData),
    );
    if (isDeepStrictEqual(before, after)) return;
    await this.subscriptions.replace(actor.tenantId, channelId, next);
    const data = { channel: channel.name, subscriptions: after, previous: { subscriptions: before } };
    await this.ledger.record(actor, 'subscriptions_replaced', data);
  }

  /** @throws DomainError channel_not_found, subscription_not_found, precondition_failed */
  async delete(
    actor: ActingCaller,
    channelId: ChannelId,
    id: SubscriptionId,
    precondition: Precondition,
  ): Promise<void> {
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), channelId));
    const stored = foundSubscription(await this.subscriptions.find(actor.tenantId, channelId, id));
    precondition.require(toView(stored));
    await this.subscriptions.delete(actor.tenantId, channelId, id);
    await this.ledger.record(actor, 'subscription_deleted', {
      channel: channel.name,
      message_types: stored.messageTypes,
    });
  }

  /** Locks and returns the channel if the subscriptions may be added, or may replace those of the channel `replaced`. */
  private async lock(
    actor: ActingCaller,
    channelId: ChannelId,
    subscriptions: readonly SubscriptionDto[],
    replaced: number | null,
  ): Promise<Channel> {
    const entitlements = await this.entitlements.lock(actor.tenantId);
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), channelId));
    await this.requireKnown(actor, subscriptions, replaced === null ? '' : (at) => `/subscriptions/${at}`);
    const others = await this.subscriptions.count(actor.tenantId, replaced);
    if (subscriptions.length > 0)
      requireBelowLimit(entitlements, 'notification_subscriptions_limit', others, subscriptions.length);
    return channel;
  }

  /** Looks up all ids of all subscriptions at once. @throws DomainError validation_failed naming each unknown id */
  private async requireKnown(
    actor: ActingCaller,
    subscriptions: readonly SubscriptionDto[],
    prefix: '' | ((at: number) => string),
  ): Promise<void> {
    const levels = Object.entries(LEVELS) as [keyof SubscriptionScope, (typeof LEVELS)[keyof SubscriptionScope]][];
    const all = levels.map(([level, name]) => [level, [...new Set(subscriptions.flatMap((dto) => dto[name] ?? []))]]);
    const { tenantId, divisionId } = ownerOf(actor);
    const unknown = await this.subscriptions.unknown(
      tenantId,
      divisionId,
      Object.fromEntries(all) as SubscriptionScope,
    );
    const issues = subscriptions.flatMap((dto, at) =>
      levels.flatMap(([level, name]): FieldIssue[] =>
        (dto[name] ?? []).flatMap((id, index) => {
          if (!unknown[level].includes(id)) return [];
          const path = `${prefix === '' ? '' : prefix(at)}/${name}/${index}`;
          return [{ path, code: 'unknown', reason: `${id} does not exist, or the channel cannot receive its events` }];
        }),
      ),
    );
    if (issues.length > 0) throw validationFailed(issues);
  }

  private async channel(actor: ActingCaller, id: ChannelId): Promise<Channel> {
    return found(await this.channels.find(ownerOf(actor), id));
  }
}

const toSubscription = (dto: SubscriptionDto): NewSubscription => ({
  messageTypes: dto.message_types,
  tenantIds: dto.scope_tenant_ids ?? [],
  divisionIds: dto.scope_division_ids ?? [],
  environmentIds: dto.scope_environment_ids ?? [],
  deploymentIds: dto.scope_deployment_ids ?? [],
});

/** With the names of requests. Levels without a limit are left out. */
const auditData = ({ messageTypes, ...scope }: NewSubscription): object => ({
  message_types: messageTypes,
  ...Object.fromEntries(
    Object.entries(LEVELS)
      .map(([level, name]) => [name, scope[level as keyof SubscriptionScope]] as const)
      .filter(([, ids]) => ids.length > 0),
  ),
});

function foundSubscription(subscription: Subscription | null): Subscription {
  if (!subscription) throw new DomainError('subscription_not_found', 'No such subscription.');
  return subscription;
}
