import { IsOneOf, IsQueryFlag, IsText, NamedListQuery, Optional } from '@libs/http';
import { CHANNEL_KINDS } from './channel.view.js';

/** Filters of channels. */
export class ChannelsQuery extends NamedListQuery {
  @Optional()
  @IsOneOf(CHANNEL_KINDS, 'Of this kind only.')
  channel?: string;

  @Optional()
  @IsText(100, 'Only channels whose name contains this text, without regard to case.')
  name?: string;

  @Optional()
  @IsQueryFlag('Only those that are on, or only those that are off.')
  enabled?: boolean;
}
