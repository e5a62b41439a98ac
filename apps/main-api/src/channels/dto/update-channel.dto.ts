import { Clearable, IsFlag, IsMailedName, IsText, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { ChannelSettingsView } from './channel.view.js';

/** What changes of a channel. */
export class UpdateChannelDto extends UpdateDto {
  @Optional()
  @IsMailedName('Unique among the channels of its owner, without regard to case.')
  name?: string;

  @Optional()
  @IsText(2048, 'As at its creation.')
  destination?: string;

  @Clearable()
  @IsObject()
  @ApiProperty({ type: ChannelSettingsView, description: 'All of them; null for none.' })
  settings?: ChannelSettingsView | null;

  @Optional()
  @IsFlag('False stops the delivery; what waits goes on when it is true again.')
  enabled?: boolean;

  @Clearable()
  @IsText(500, 'For people.')
  remarks?: string | null;
}
