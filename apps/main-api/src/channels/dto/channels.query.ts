import { IsOneOf, Optional, PageQuery } from '@libs/http';
import { CHANNEL_KINDS } from './channel.view.js';

/** Which channels are listed. */
export class ChannelsQuery extends PageQuery {
  @Optional()
  @IsOneOf(CHANNEL_KINDS, 'Of this kind only.')
  channel?: string;
}
