import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  PathId,
  PreparesFirst,
  Reads,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
  type Prepared,
} from '@libs/http';
import { Precondition, type Written, type ChannelId } from '@libs/domain';
import { ChannelChangesService } from './channel-changes.service.js';
import { CHANNEL_ID, CHANNELS } from './channel-owner.js';
import { ChannelsService } from './channels.service.js';
import { ChannelItemView, ChannelView, ChannelWithSecretView } from './dto/channel.view.js';
import { ChannelsQuery } from './dto/channels.query.js';
import { CreateChannelDto } from './dto/create-channel.dto.js';
import { RotateSecretDto } from './dto/rotate-secret.dto.js';
import { UpdateChannelDto } from './dto/update-channel.dto.js';

@Routes(CHANNELS, 'Notifications', CHANNEL_ID)
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly changes: ChannelChangesService,
  ) {}

  /**
   * Creates a channel. A channel without subscriptions receives every event of its owner. Only this response contains
   * the secret of a webhook. An e-mail channel sends nothing until its address is confirmed by a mailed link. The
   * verified address of an active member needs no link.
   */
  @Post()
  @Writes('notifications:manage', 'channel_created')
  @PreparesFirst()
  @Creates(ChannelWithSecretView, 'channel')
  @WithinPlan('notification_channels_limit', 'advanced_notification_channels_enabled')
  @FailsWith('name_taken', 'destination_not_allowed')
  create(
    @Actor() actor: ActingCaller,
    @Body() dto: CreateChannelDto,
  ): Promise<Prepared<Written<ChannelWithSecretView>>> {
    return this.changes.create(actor, dto);
  }

  /** Lists the channels: of the tenant, or of the division, without destination and settings. */
  @Get()
  @Lists('notifications:read', ChannelItemView)
  list(@Actor() actor: ActingCaller, @Query() query: ChannelsQuery): Promise<Page<ChannelItemView>> {
    return this.channels.list(actor, query);
  }

  /**
   * Reads one channel with destination and settings. Header values are masked. Callers with read permission only get a
   * masked destination.
   */
  @Get(':channel_id')
  @Reads('notifications:read', ChannelView)
  get(@Actor() actor: ActingCaller, @PathId() id: ChannelId): Promise<ChannelView> {
    return this.channels.get(actor, id);
  }

  /**
   * Changes a channel. Members that are left out, and masks that are sent back, stay unchanged. Stored values of headers
   * are not kept for a destination with another scheme, host or port. A changed e-mail address is unconfirmed.
   */
  @Put(':channel_id')
  @WritesWhenChanged('notifications:manage', 'channel_updated')
  @PreparesFirst()
  @FailsWith('name_taken', 'destination_not_allowed', 'secret_required')
  update(
    @Actor() actor: ActingCaller,
    @PathId() id: ChannelId,
    @Body() dto: UpdateChannelDto,
    @IfMatch() precondition: Precondition,
  ): Promise<Prepared<void>> {
    return this.changes.update(actor, id, dto, precondition);
  }

  /**
   * Sends a test notification and ignores subscriptions. The result appears in the deliveries. Limited to one test
   * every 10 seconds.
   */
  @Post(':channel_id/test')
  @Writes('notifications:manage', 'channel_tested')
  @FailsWith('channel_test_too_soon', 'state_conflict')
  test(@Actor() actor: ActingCaller, @PathId() id: ChannelId): Promise<void> {
    return this.channels.test(actor, id);
  }

  /**
   * Mails another confirmation link to the address of the channel. Each address gets at most one such mail an hour.
   * Each tenant mails to at most 20 addresses a day that do not belong to its members.
   */
  @Post(':channel_id/confirmation')
  @Writes('notifications:manage', 'channel_confirmation_requested')
  @FailsWith('confirmation_too_soon', 'state_conflict')
  requestConfirmation(@Actor() actor: ActingCaller, @PathId() id: ChannelId): Promise<void> {
    return this.channels.requestConfirmation(actor, id);
  }

  /**
   * Replaces the signing secret of a webhook. Deliveries carry both signatures for `overlap_seconds`. Of several
   * rotations at the same time, one takes place, and the others get 409.
   */
  @Post(':channel_id/rotate')
  @Writes('notifications:manage', 'channel_secret_rotated')
  @Returns(ChannelWithSecretView, 'channel')
  @FailsWith('state_conflict')
  rotate(
    @Actor() actor: ActingCaller,
    @PathId() id: ChannelId,
    @Body() dto: RotateSecretDto,
  ): Promise<Written<ChannelWithSecretView>> {
    return this.channels.rotate(actor, id, dto);
  }

  /** Deletes a channel with its subscriptions. Pending deliveries are dropped. */
  @Delete(':channel_id')
  @Writes('notifications:manage', 'channel_deleted')
  delete(@Actor() actor: ActingCaller, @PathId() id: ChannelId, @IfMatch() precondition: Precondition): Promise<void> {
    return this.channels.delete(actor, id, precondition);
  }
}
