import { ApiTime, ApiId, Resource } from '@libs/http';

/** A session of the user. */
@Resource<SessionView>({
  id: 'session_id',
  columns: ['id', 'current', 'address', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'],
})
export class SessionView {
  @ApiId('The session.')
  id: number;

  /** True for the session of this request. */
  current: boolean;

  /** The IP address that started the session. */
  address: string;

  /** The user agent of the browser. */
  user_agent: string;

  @ApiTime()
  created_at: string;

  @ApiTime('To the minute.')
  last_seen_at: string;

  /** Time at which the session expires. */
  @ApiTime()
  expires_at: string;
}
