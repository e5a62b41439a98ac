import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A place where the user is signed in. */
export class SessionView {
  @ApiId('The session.')
  id: number;

  /** Whether it is the one that asks. */
  current: boolean;

  /** The address that it began from. */
  address: string;

  /** What the browser called itself. */
  user_agent: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'To the minute.' })
  last_seen_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expires_at: string;
}
