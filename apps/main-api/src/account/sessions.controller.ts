import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionId } from '@libs/domain';
import {
  Actor,
  Answer,
  FailsWith,
  idParameter,
  InTransaction,
  NoContent,
  NotAudited,
  Page,
  PageQuery,
  PathId,
  Prepared,
  PreparesFirst,
  Public,
  Returns,
  ReturnsPageOf,
  SessionOnly,
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

@ApiTags('Account')
@Controller('account')
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
  @Public('the password is what opens it', { limited: true, hashesPassword: true })
  @InTransaction()
  @PreparesFirst()
  @NotAudited(OF_A_PERSON)
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
  @Public('the token of the printed link is what opens it', { limited: true })
  @InTransaction()
  @NotAudited(OF_A_PERSON)
  @Returns(SignedInView)
  @FailsWith('first_sign_in_invalid')
  async signInFirst(@Body() { token }: FirstSignInDto, @Client() client: ClientFacts): Promise<Answer<SignedInView>> {
    const started = await this.firstSignIns.signIn(token, client, this.cookies.tokenOf(client));
    return this.cookies.set(started, client);
  }

  /** Ends the session that asks. */
  @Delete('sign_out')
  @SessionOnly({ beforeVerification: true })
  @InTransaction()
  @NotAudited(OF_A_PERSON)
  @NoContent()
  async signOut(@Actor() actor: ActingCaller, @Client() client: ClientFacts): Promise<Answer<undefined>> {
    await this.sessions.signOut(actor);
    return this.cookies.cleared(client);
  }

  /** Lists where you are signed in. */
  @Get('sessions')
  @SessionOnly({ beforeVerification: true })
  @ReturnsPageOf(SessionView)
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<SessionView>> {
    return this.sessions.list(actor, query);
  }

  /** Ends all sessions of the user except the current session. */
  @Delete('sessions')
  @SessionOnly({ beforeVerification: true })
  @InTransaction()
  @NotAudited(OF_A_PERSON)
  @NoContent()
  endOthers(@Actor() actor: ActingCaller): Promise<void> {
    return this.sessions.endOthers(actor);
  }

  /** Ends one session of the user at once. */
  @Delete('sessions/:session_id')
  @SessionOnly({ beforeVerification: true })
  @InTransaction()
  @NotAudited(OF_A_PERSON)
  @idParameter('session_id', 'One of your sessions.')
  @NoContent()
  @FailsWith('session_not_found')
  end(@Actor() actor: ActingCaller, @PathId('session_id') id: SessionId): Promise<void> {
    return this.sessions.end(actor, id);
  }
}
