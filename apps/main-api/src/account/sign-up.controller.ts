import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AuditedWhenChanged,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  NotAudited,
  Prepared,
  PreparesFirst,
  Public,
  Returns,
  SessionOnly,
  type ActingCaller,
} from '@libs/http';
import { Client, type ClientFacts } from './client.decorator.js';
import { SignUpDto } from './dto/sign-up.dto.js';
import { SignedUpView } from './dto/signed-up.view.js';
import { VerifiedView } from './dto/verified.view.js';
import { VerifyDto } from './dto/verify.dto.js';
import { SignUpService } from './sign-up.service.js';
import { VerificationService } from './verification.service.js';

@ApiTags('Account')
@Controller('account')
export class SignUpController {
  constructor(
    private readonly signUps: SignUpService,
    private readonly verifications: VerificationService,
  ) {}

  /**
   * Makes a user, and a tenant of plan Basic that the user owns. A mail with a link verifies the address; until then the user
   * reads and changes the own account only, and everything else is 403 `email_not_verified`. An address that has an account is answered the same, and told by mail.
   */
  @Post('sign_up')
  @Public('who signs up has no account yet', { limited: true, hashesPassword: true })
  @InTransaction()
  @PreparesFirst()
  @AuditedWhenChanged('tenant_created')
  @HttpCode(201)
  @ApiResponse({ status: 201, type: SignedUpView, description: 'A mail is on its way.' })
  @FailsWith('service_busy')
  signUp(@Body() dto: SignUpDto, @Client() client: ClientFacts): Promise<Prepared<SignedUpView>> {
    return this.signUps.signUp(dto, client);
  }

  /**
   * Verifies the address by the token of the mailed link and the password of the account: reading a mail that somebody else
   * caused verifies nothing. A wrong password counts like one at sign-in, and leaves the token as it is. The first user of an
   * organization's domain claims the domain for the tenant they own; later ones follow its join policy.
   */
  @Post('verify')
  @Public('the token of the mail is what opens it', { limited: true, hashesPassword: true })
  @InTransaction()
  @PreparesFirst()
  @AuditedWhenChanged('email_domain_claimed', 'member_joined', 'join_requested')
  @Returns(VerifiedView)
  @FailsWith('email_token_invalid', 'invalid_credentials', 'service_busy')
  verify(@Body() dto: VerifyDto, @Client() client: ClientFacts): Promise<Prepared<VerifiedView>> {
    return this.verifications.verify(dto, client);
  }

  /** Mails another link to verify the address, which replaces the last one; at most one a minute. */
  @Post('verification')
  @SessionOnly({ beforeVerification: true })
  @Idempotent()
  @NotAudited('it concerns a person, and no tenant')
  @NoContent()
  @FailsWith('email_already_verified', 'verification_already_sent')
  sendVerification(@Actor() actor: ActingCaller): Promise<void> {
    return this.signUps.sendVerification(actor);
  }
}
