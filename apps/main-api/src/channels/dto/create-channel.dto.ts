import { Clearable, ClearableText, Example, IsMailedName, IsOneOf, IsText } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { CHANNEL_KINDS, ChannelSettingsView, type ChannelKind } from './channel.view.js';

/** A new notification channel. */
@Example<CreateChannelDto>({ channel: 'email', name: 'people on duty', destination: 'duty@example.com' })
export class CreateChannelDto {
  @IsOneOf(CHANNEL_KINDS, 'Never changes.')
  channel: ChannelKind;

  @IsMailedName('Unique among the channels of the tenant, or of the division, without regard to case.')
  name: string;

  @IsText(2048, 'Slack: the address of an incoming hook. Webhook: an https address. E-mail: an address.')
  destination: string;

  @Clearable()
  @IsObject()
  @ApiProperty({ type: ChannelSettingsView, description: 'Settings for the kind of the channel.' })
  settings?: ChannelSettingsView | null;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;
}
