import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import type { SessionId } from '@libs/domain';
import {
  Actor,
  Answer,
  everybody,
  FailsWith,
  Lists,
  Page,
  TimedListQuery,
  PathId,
  Prepared,
  PreparesFirst,
  Returns,
  Routes,
  UNVERIFIED_SESSION,
  WritesUnaudited,
  type ActingCaller,
} from '@libs/http';
import { Client, type ClientFacts } from './client.decorator.js';
import { FirstSignInDto } from './dto/first-sign-in.dto.js';
import { SessionView } from './dto/session.view.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { SignedInView } from './dto/signed-in.view.js';
import { FirstSignIns } from './first-sign-ins.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsService } from './sessions.service.js';

const OF_A_PERSON = 'it concerns a person, and no tenant';

@Routes('account', 'Account', { session_id: 'One of your sessions.' })
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly firstSignIns: FirstSignIns,
  ) {}

  /**
   * Starts a session. The response sets the cookie `ld_session` (over HTTPS `__Host-ld_session`) and contains the token
   * that writes send as `x-csrf-token`. After five failures within 15 minutes, from one IP address for one e-mail
   * address, each further try waits longer.
   */
  @Post('sign_in')
  @WritesUnaudited(everybody('the password is what opens it', { limited: true, hashesPassword: true }), OF_A_PERSON)
  @PreparesFirst()
  @Returns(SignedInView)
  @FailsWith('invalid_credentials', 'service_busy')
  async signIn(@Body() dto: SignInDto, @Client() client: ClientFacts): Promise<Prepared<Answer<SignedInView>>> {
    const prepared = await this.sessions.signIn(dto, client, this.cookies.tokenOf(client));
    return prepared.map((started) => this.cookies.set(started, client));
  }

  /**
   * Starts a session of the first owner by the link that a start of Landlord prints. The link works once, for 15 minutes,
   * only in a browser on the same machine, and only while the main API listens on a loopback address. A new start
   * replaces the link.
   */
  @Post('first_sign_in')
  @WritesUnaudited(everybody('the token of the printed link is what opens it', { limited: true }), OF_A_PERSON)
  @Returns(SignedInView)
  @FailsWith('first_sign_in_invalid')
  async signInFirst(@Body() { token }: FirstSignInDto, @Client() client: ClientFacts): Promise<Answer<SignedInView>> {
    const started = await this.firstSignIns.signIn(token, client, this.cookies.tokenOf(client));
    return this.cookies.set(started, client);
  }

  /** Ends the session that asks. */
  @Delete('sign_out')
  @WritesUnaudited(UNVERIFIED_SESSION, OF_A_PERSON)
  async signOut(@Actor() actor: ActingCaller, @Client() client: ClientFacts): Promise<Answer<undefined>> {
    await this.sessions.signOut(actor);
    return this.cookies.cleared(client);
  }

  /** Lists where you are signed in. */
  @Get('sessions')
  @Lists(UNVERIFIED_SESSION, SessionView)
  list(@Actor() actor: ActingCaller, @Query() query: TimedListQuery): Promise<Page<SessionView>> {
    return this.sessions.list(actor, query);
  }

  /** Ends all sessions of the user except the current session. */
  @Delete('sessions')
  @WritesUnaudited(UNVERIFIED_SESSION, OF_A_PERSON)
  endOthers(@Actor() actor: ActingCaller): Promise<void> {
    return this.sessions.endOthers(actor);
  }

  /** Ends one session of the user at once. */
  @Delete('sessions/:session_id')
  @WritesUnaudited(UNVERIFIED_SESSION, OF_A_PERSON)
  end(@Actor() actor: ActingCaller, @PathId() id: SessionId): Promise<void> {
    return this.sessions.end(actor, id);
  }
}
