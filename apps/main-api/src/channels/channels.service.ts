import { Injectable } from '@nestjs/common';
import { DomainError, type Precondition, Written, type ChannelId } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import {
  ChannelPaceRepository,
  ChannelsRepository,
  DeliveriesRepository,
  type Channel,
} from '@libs/persistence/channels';
import { rotatedMeanwhile } from '../platform/index.js';
import { ChannelLedger } from './channel-ledger.js';
import { holds, ownerOf } from './channel-owner.js';
import { ChannelConfirmations } from './confirmation/channel-confirmations.js';
import type { ChannelItemView, ChannelView, ChannelWithSecretView } from './dto/channel.view.js';
import type { ChannelsQuery } from './dto/channels.query.js';
import { DEFAULT_OVERLAP_SECONDS, type RotateSecretDto } from './dto/rotate-secret.dto.js';
import { mintSigningSecret } from './signing-secret.js';
import { auditData, toItemView, toReaderView, toView } from './to-channel-view.js';

/** Minimum seconds between two tests of a channel, and between two redeliveries. */
export const PAUSE_SECONDS = 10;

/** Channels of a tenant or of a division: everything except creation and change. */
@Injectable()
export class ChannelsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly pace: ChannelPaceRepository,
    private readonly ledger: ChannelLedger,
    private readonly confirmations: ChannelConfirmations,
  ) {}

  async list(actor: ActingCaller, query: ChannelsQuery): Promise<Page<ChannelItemView>> {
    return Page.of(await this.channels.list(ownerOf(actor), query, query), toItemView, query);
  }

  /** @throws DomainError channel_not_found */
  async get(actor: ActingCaller, id: ChannelId): Promise<ChannelView> {
    const channel = found(await this.channels.find(ownerOf(actor), id));
    return holds(actor, 'notifications:manage') ? toView(channel) : toReaderView(channel);
  }

  /** @throws DomainError channel_not_found, state_conflict, channel_test_too_soon */
  async test(actor: ActingCaller, id: ChannelId): Promise<void> {
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), id));
    requireEnabled(channel);
    const wait = await this.pace.takeUnscoped(id, 'test', PAUSE_SECONDS);
    if (wait > 0)
      throw new DomainError('channel_test_too_soon', `Try again in ${wait} seconds.`, { retryAfterSeconds: wait });
    await this.deliveries.insertTest({
      ...ownerOf(actor),
      channelId: id,
      subject: `Test of the channel ${channel.name}`,
      content: 'A user sent this message to test the channel. It reports no event.',
    });
    await this.ledger.record(actor, 'channel_tested', auditData(channel));
  }

  /** Mails another link to the address. @throws DomainError channel_not_found, state_conflict, confirmation_too_soon */
  async requestConfirmation(actor: ActingCaller, id: ChannelId): Promise<void> {
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), id));
    if (channel.isConfirmed)
      throw new DomainError('state_conflict', 'The channel is confirmed already.', {
        members: { state: 'confirmed' },
      });
    const wait = await this.confirmations.ask(actor, channel);
    if (wait > 0)
      throw new DomainError('confirmation_too_soon', `Try again in ${wait} seconds.`, { retryAfterSeconds: wait });
    await this.ledger.record(actor, 'channel_confirmation_requested', auditData(channel));
  }

  /** @throws DomainError channel_not_found, state_conflict */
  async rotate(actor: ActingCaller, id: ChannelId, dto: RotateSecretDto): Promise<Written<ChannelWithSecretView>> {
    const before = await this.channels.signingSecretUnscoped(id);
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), id));
    if (channel.channel !== 'webhook')
      throw new DomainError('state_conflict', 'Only deliveries to webhooks are signed.', {
        members: { state: channel.channel },
      });
    // Of several rotations at once, one takes place: another one would end the secret that receivers still expect.
    if ((await this.channels.signingSecretUnscoped(id)) !== before) throw rotatedMeanwhile();
    const overlap = dto.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS;
    const secret = mintSigningSecret();
    await this.channels.rotateUnscoped(id, secret, overlap);
    await this.ledger.record(actor, 'channel_secret_rotated', { ...auditData(channel), overlap_seconds: overlap });
    const rotated = found(await this.channels.find(ownerOf(actor), id));
    return new Written({ ...toView(rotated), secret }, { channel: id });
  }

  /** @throws DomainError channel_not_found, precondition_failed */
  async delete(actor: ActingCaller, id: ChannelId, precondition: Precondition): Promise<void> {
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), id));
    precondition.require(toView(channel));
    await this.channels.deleteUnscoped(id);
    await this.ledger.record(actor, 'channel_deleted', auditData(channel));
  }
}

/** @throws DomainError channel_not_found */
export function found(channel: Channel | null): Channel {
  if (!channel) throw new DomainError('channel_not_found', 'No such notification channel.');
  return channel;
}

/** @throws DomainError state_conflict */
export function requireEnabled({ enabled }: Channel): void {
  if (enabled) return;
  throw new DomainError('state_conflict', 'The channel is disabled.', { members: { state: 'disabled' } });
}
