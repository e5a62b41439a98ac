import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A session of the user. */
export class SessionView {
  @ApiId('The session.')
  id: number;

  /** True for the session of this request. */
  current: boolean;

  /** The IP address that started the session. */
  address: string;

  /** The user agent of the browser. */
  user_agent: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'To the minute.' })
  last_seen_at: string;

  /** Time at which the session expires. */
  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;
}
