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
import { TokenDto } from './dto/token.dto.js';
import { VerifiedView } from './dto/verified.view.js';
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
   * Makes a user, and a tenant of plan Basic that the user owns. A mail with a link proves the address; until then the user
   * works in that tenant only. An address that has an account is answered the same, and told by mail.
   */
  @Post('sign_up')
  @Public('who signs up has no account yet', { limited: true })
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
   * Proves the address by the token of the mailed link. The first user of an organization's domain claims it for the tenant
   * they own; later ones follow its join policy.
   */
  @Post('verify')
  @Public('the token of the mail is what opens it', { limited: true })
  @InTransaction()
  @AuditedWhenChanged('email_domain_claimed', 'member_joined', 'join_requested')
  @Returns(VerifiedView)
  @FailsWith('email_token_invalid')
  verify(@Body() { token }: TokenDto, @Client() client: ClientFacts): Promise<VerifiedView> {
    return this.verifications.verify(token, client);
  }

  /** Mails another link to prove the address, which replaces the last one; at most one a minute. */
  @Post('verification')
  @SessionOnly()
  @Idempotent()
  @NotAudited('it concerns a person, and no tenant')
  @NoContent()
  @FailsWith('email_already_verified', 'verification_already_sent')
  sendVerification(@Actor() actor: ActingCaller): Promise<void> {
    return this.signUps.sendVerification(actor);
  }
}
