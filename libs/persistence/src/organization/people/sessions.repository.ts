import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import type { Session as SessionEntity } from '../entities/session.entity.js';

/** The values of a new session. The cookie contains the id, so the caller needs the id before the insert. */
export interface NewSession {
  id: SessionId;
  userId: UserId;
  tokenHash: Buffer;
  /** The client address, for the list of sessions. */
  address: string;
  userAgent: string;
  hours: number;
}

/** A session in the list of its user. */
export type Session = Pick<
  SessionEntity,
  'id' | 'address' | 'user_agent' | 'created_at' | 'last_seen_at' | 'expires_at'
>;

const LIVING = 'from sessions where user_id = $1 and expires_at > now()';
// Open streams of the session are authorized again. PostgreSQL sends the notification with the commit.
const NOTIFY = `pg_notify('landlord_access', 'session ' || id)`;

const NEXT_ID = statement('session.next_id', `select nextval(pg_get_serial_sequence('sessions', 'id')) as id`);
const INSERT = statement(
  'session.insert',
  `insert into sessions (id, user_id, token_hash, address, user_agent, expires_at) overriding system value
   values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6)) returning expires_at`,
);
const LIST = paged('session.list', {
  columns: 'id, address, user_agent, created_at, last_seen_at, expires_at',
  rows: LIVING,
  id: 'id',
  keys: { created_at: byTime('created_at') },
});
const END = statement(
  'session.end',
  `delete from sessions where user_id = $1 and id = $2 returning expires_at > now() as lived, ${NOTIFY}`,
);
const END_OTHERS = statement(
  'session.end_others',
  `delete from sessions where user_id = $1 and id is distinct from $2 returning ${NOTIFY}`,
);
const END_BY_TOKEN = statement(
  'session.end_by_token',
  `delete from sessions where id = $1 and token_hash = $2 returning ${NOTIFY}`,
);
const FORGET = statement(
  'session.forget',
  'delete from sessions where id in (select id from sessions where expires_at < now() order by expires_at limit $1)',
);

/** Sessions of signed-in users. Ending a session deletes its row, so the session stops working at once. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async nextId(): Promise<SessionId> {
    const [row] = await this.database.query<{ id: SessionId }>(NEXT_ID);
    return Number(row?.id);
  }

  /** Returns the expiry. */
  async insert({ id, userId, tokenHash, address, userAgent, hours }: NewSession): Promise<Date> {
    const values = [id, userId, tokenHash, address, userAgent, hours];
    const [row] = await this.database.query<{ expires_at: Date }>(INSERT, values);
    return (row as { expires_at: Date }).expires_at;
  }

  async list(userId: UserId, request: PageRequest): Promise<PageOf<Session>> {
    return readPage<Session>(this.database, LIST, [userId], request);
  }

  /** Returns false when the user has no such unexpired session. */
  async end(userId: UserId, id: SessionId): Promise<boolean> {
    const [row] = await this.database.query<{ lived: boolean }>(END, [userId, id]);
    return row?.lived ?? false;
  }

  /** Ends all sessions of the user except `keptId`. Null ends all. Returns their number. */
  async endOthers(userId: UserId, keptId: SessionId | null): Promise<number> {
    return this.database.execute(END_OTHERS, [userId, keptId]);
  }

  /** Ends the session of any user. */
  async endByToken(id: SessionId, tokenHash: Buffer): Promise<void> {
    await this.database.execute(END_BY_TOKEN, [id, tokenHash]);
  }

  /** Deletes at most `limit` expired sessions. Returns their number. */
  async forget(limit = 1000): Promise<number> {
    return this.database.execute(FORGET, [limit]);
  }
}
