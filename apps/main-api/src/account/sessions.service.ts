import { Inject, Injectable } from '@nestjs/common';
import { csrfOf, DomainError, hashSession, mintSession, sessionId, type SessionId } from '@libs/domain';
import { Page, Prepared, type ActingCaller, type TimedListQuery } from '@libs/http';
import { SessionsRepository, type Session, type User } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { AccountLog } from './account-log.js';
import type { ClientFacts } from './client.decorator.js';
import type { SessionView } from './dto/session.view.js';
import type { SignInDto } from './dto/sign-in.dto.js';
import { PasswordCheck } from './passwords/password-check.js';
import type { StartedSession } from './session-cookies.js';

const HOUR_SECONDS = 3600;

/** Starts, lists and ends sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly passwords: PasswordCheck,
    private readonly log: AccountLog,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * `old`: the token that the client has sent.
   * @throws DomainError invalid_credentials, rate_limited, service_busy
   */
  async signIn(
    { email, password }: SignInDto,
    client: ClientFacts,
    old: string | null,
  ): Promise<Prepared<StartedSession>> {
    const attempt = await this.passwords.look(email, password, client);
    return new Prepared(async () => this.start(await this.passwords.judge(attempt), client, old));
  }

  /** Always creates a new id: a cookie of the request may have been planted by an attacker, so its session ends here. */
  async start(user: User, client: ClientFacts, old: string | null): Promise<StartedSession> {
    const { address, userAgent } = client;
    if (old !== null) await this.sessions.endByToken(sessionId(old) ?? 0, hashSession(old));
    const id = await this.sessions.nextId();
    const token = mintSession(id);
    const hours = this.config.SESSION_HOURS;
    const tokenHash = hashSession(token);
    const expiry = await this.sessions.insert({ id, userId: user.id, tokenHash, address, userAgent, hours });
    this.log.tell('signed in', user.id, client);
    const view = { email: user.email, expiry: expiry.toISOString(), csrf_token: csrfOf(token) };
    return { view, token, seconds: hours * HOUR_SECONDS };
  }

  async signOut({ caller, session, traceId }: ActingCaller): Promise<void> {
    await this.sessions.end(caller.user.id, session.id);
    this.log.tell('signed out', caller.user.id, { traceId });
  }

  async list({ caller, session }: ActingCaller, query: TimedListQuery): Promise<Page<SessionView>> {
    return Page.of(await this.sessions.list(caller.user.id, query), (row) => toView(row, session.id), query);
  }

  /** @throws DomainError session_not_found */
  async end({ caller, traceId }: ActingCaller, id: SessionId): Promise<void> {
    if (!(await this.sessions.end(caller.user.id, id)))
      throw new DomainError('session_not_found', 'You have no such session.');
    this.log.tell('session ended', caller.user.id, { traceId });
  }

  /** Ends all sessions except the current one. */
  async endOthers({ caller, session, traceId }: ActingCaller): Promise<void> {
    const sessions = await this.sessions.endOthers(caller.user.id, session.id);
    this.log.tell('other sessions ended', caller.user.id, { traceId }, { sessions });
  }
}

const toView = ({ id, address, user_agent, ...times }: Session, current: number): SessionView => ({
  id,
  current: id === current,
  address,
  user_agent,
  created_at: times.created_at.toISOString(),
  last_seen_at: times.last_seen_at.toISOString(),
  expires_at: times.expires_at.toISOString(),
});
