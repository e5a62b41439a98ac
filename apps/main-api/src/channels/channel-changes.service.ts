import { Inject, Injectable } from '@nestjs/common';
import { requireFeature, requireBelowLimit } from '@libs/catalog';
import {
  DomainError,
  type FieldIssue,
  type Precondition,
  requireFreeName,
  validationFailed,
  Written,
  type ChannelId,
} from '@libs/domain';
import { Prepared, requireUnchanged, type ActingCaller } from '@libs/http';
import { ChannelsRepository } from '@libs/persistence/channels';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { TenantEntitlements } from '../tenants/index.js';
import { ChannelAnnouncements } from './channel-announcements.js';
import { withKeptHeaders } from './channel-masks.js';
import { holds, ownerOf } from './channel-owner.js';
import { changesTo, isOtherDestination, recordOf } from './channel-request.js';
import { refusalOf, settingsIssues } from './channel-rules.js';
import { found } from './channels.service.js';
import type { ChannelKind, ChannelWithSecretView } from './dto/channel.view.js';
import type { CreateChannelDto } from './dto/create-channel.dto.js';
import type { UpdateChannelDto } from './dto/update-channel.dto.js';
import { mintSigningSecret } from './signing-secret.js';
import { toView } from './to-channel-view.js';

/** Creates and changes channels. Resolves destinations before the transaction, and refuses them in it. */
@Injectable()
export class ChannelChangesService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly announcements: ChannelAnnouncements,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  async create(actor: ActingCaller, dto: CreateChannelDto): Promise<Prepared<Written<ChannelWithSecretView>>> {
    const refusal = await this.refusalOf(dto.channel, dto.destination);
    return new Prepared(() => this.insert(actor, dto, refusal));
  }

  async update(
    actor: ActingCaller,
    id: ChannelId,
    dto: UpdateChannelDto,
    precondition: Precondition,
  ): Promise<Prepared<void>> {
    const { destination } = dto;
    const channel = destination === undefined ? null : await this.channels.find(ownerOf(actor), id);
    const isOther = channel !== null && isOtherDestination(channel, destination ?? '');
    const refusal = isOther ? await this.refusalOf(channel.channel, destination ?? '') : null;
    return new Prepared(() => this.change(actor, id, { dto, refusal, precondition }));
  }

  /** @throws DomainError validation_failed, destination_not_allowed, plan_feature_required, name_taken, plan_limit_reached */
  private async insert(
    actor: ActingCaller,
    dto: CreateChannelDto,
    refusal: DomainError | null,
  ): Promise<Written<ChannelWithSecretView>> {
    const { channel: kind, name, destination, remarks = null } = dto;
    const { settings, issues } = withKeptHeaders(recordOf(dto.settings ?? null), null);
    requireGood(issues, settingsIssues(kind, settings), refusal);
    const entitlements = await this.entitlements.lock(actor.tenantId);
    if (kind !== 'email') requireFeature(entitlements, 'advanced_notification_channels_enabled');
    await this.requireFreeName(actor, name, null);
    requireBelowLimit(entitlements, 'notification_channels_limit', await this.channels.count(actor.tenantId));
    const secret = kind === 'webhook' ? mintSigningSecret() : null;
    const owner = ownerOf(actor);
    const id = await this.channels.insert(owner, { channel: kind, name, destination, settings, remarks }, secret);
    const channel = found(await this.channels.find(owner, id));
    await this.announcements.created(actor, channel);
    const view = { ...toView(channel), ...(secret !== null && { secret }) };
    return new Written(view, { channel: id });
  }

  /** @throws DomainError channel_not_found, validation_failed, destination_not_allowed, secret_required, name_taken, precondition_failed */
  private async change(
    actor: ActingCaller,
    id: ChannelId,
    { dto, refusal, precondition }: { dto: UpdateChannelDto; refusal: DomainError | null; precondition: Precondition },
  ): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const channel = found(await this.channels.findForUpdate(ownerOf(actor), id));
    precondition.require(toView(channel));
    requireUnchanged(dto, toView(channel));
    const { changes, issues } = changesTo(channel, dto);
    if (Object.keys(changes).length === 0) return;
    const isMoved = changes.destination !== undefined;
    requireGood(issues, settingsIssues(channel.channel, changes.settings ?? null), isMoved ? refusal : null);
    if (changes.name !== undefined) await this.requireFreeName(actor, changes.name, id);
    await this.channels.updateUnscoped({ ...channel, ...changes }, { isWoken: changes.enabled === true, isMoved });
    await this.announcements.changed(actor, channel, changes, found(await this.channels.find(ownerOf(actor), id)));
  }

  private async refusalOf(kind: ChannelKind, destination: string): Promise<DomainError | null> {
    return refusalOf(kind, destination, { allowPrivate: this.config.ALLOW_PRIVATE_DESTINATIONS });
  }

  private async requireFreeName(actor: ActingCaller, name: string, channelId: ChannelId | null): Promise<void> {
    const owner = ownerOf(actor);
    const id = await this.channels.findIdByName(owner, name);
    const isReadable = (): boolean => holds(actor, 'notifications:read');
    requireFreeName('channel', name, { id, own: channelId, isReadable });
  }
}

/** @throws DomainError validation_failed, destination_not_allowed */
function requireGood(masks: FieldIssue[], settings: FieldIssue[], refusal: DomainError | null): void {
  const issues = [...masks, ...settings];
  const isMalformed = refusal?.code === 'validation_failed';
  if (issues.length > 0) throw validationFailed([...(isMalformed ? refusal.fieldIssues : []), ...issues]);
  if (refusal) throw refusal;
}
