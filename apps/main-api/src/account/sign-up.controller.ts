import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import {
  Actor,
  everybody,
  FailsWith,
  Prepared,
  PreparesFirst,
  Returns,
  Routes,
  UNVERIFIED_SESSION,
  WritesUnaudited,
  WritesWhenChanged,
  type ActingCaller,
} from '@libs/http';
import { Client, type ClientFacts } from './client.decorator.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { SignedUpView } from './dto/signed-up.view.js';
import { VerifiedView } from './dto/verified.view.js';
import { VerifyDto } from './dto/verify.dto.js';
import { SignUpService } from './sign-up.service.js';
import { VerificationService } from './verification.service.js';

@Routes('account', 'Account')
export class SignUpController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly verifications: VerificationService,
  ) {}

  /**
   * Creates a user and a tenant of plan Basic that the user owns. The response is the same when the address already has
   * an account: the owner of the address gets a mail. A mailed link verifies the address. Before that, the user can
   * only read and change the own account, and every other request is 403 `email_not_verified`.
   */
  @Post('sign_up')
  @WritesWhenChanged(
    everybody('who signs up has no account yet', { limited: true, hashesPassword: true }),
    'tenant_created',
  )
  @PreparesFirst()
  @HttpCode(201)
  @ApiResponse({ status: 201, type: SignedUpView, description: 'Landlord sends a mail with a link.' })
  @FailsWith('service_busy')
  signUp(@Body() dto: SignUpDto, @Client() client: ClientFacts): Promise<Prepared<SignedUpView>> {
    return this.signUps.signUp(dto, client);
  }

  /**
   * Verifies the e-mail address with the token of the mailed link and the password of the account. A wrong password
   * counts like a failed sign-in and does not use up the token. The first user with an address in an organization's
   * domain claims the domain for the own tenant. Later users follow the join policy of that tenant.
   */
  @Post('verify')
  @WritesWhenChanged(
    everybody('the token of the mail is what opens it', { limited: true, hashesPassword: true }),
    'email_domain_claimed',
    'member_joined',
    'join_requested',
  )
  @PreparesFirst()
  @Returns(VerifiedView)
  @FailsWith('email_token_invalid', 'invalid_credentials', 'service_busy')
  verify(@Body() dto: VerifyDto, @Client() client: ClientFacts): Promise<Prepared<VerifiedView>> {
    return this.verifications.verify(dto, client);
  }

  /** Mails another link to verify the address, which replaces the last one; at most one a minute. */
  @Post('verification')
  @WritesUnaudited(UNVERIFIED_SESSION, 'it concerns a person, and no tenant')
  @FailsWith('email_already_verified', 'verification_already_sent')
  sendVerification(@Actor() actor: ActingCaller): Promise<void> {
    return this.signUps.sendVerification(actor);
  }
}
