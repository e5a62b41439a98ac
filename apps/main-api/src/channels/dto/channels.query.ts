import { IsOneOf, Optional, PageQuery } from '@libs/http';
import { CHANNEL_KINDS } from './channel.view.js';

/** Filters of channels. */
export class ChannelsQuery extends PageQuery {
  @Optional()
  @IsOneOf(CHANNEL_KINDS, 'Of this kind only.')
  channel?: string;
}
