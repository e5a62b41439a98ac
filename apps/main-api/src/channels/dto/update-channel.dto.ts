import { Clearable, ClearableText, Example, IsFlag, IsMailedName, IsText, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { ChannelSettingsView } from './channel.view.js';

/** Changes of a notification channel. An omitted member is unchanged. */
@Example<UpdateChannelDto>({ name: 'people at night', enabled: false, remarks: 'Paused for the holidays.' })
export class UpdateChannelDto extends UpdateDto {
  @Optional()
  @IsMailedName('Unique among the channels of the same owner. Upper and lower case are the same.')
  name?: string;

  @Optional()
  @IsText(2048, 'Destination, in the same form as in the creation.')
  destination?: string;

  @Clearable()
  @IsObject()
  @ApiProperty({ type: ChannelSettingsView, description: 'All of them; null for none.' })
  settings?: ChannelSettingsView | null;

  @Optional()
  @IsFlag('False stops the delivery. Pending notifications continue when the channel is enabled again.')
  enabled?: boolean;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;
}
