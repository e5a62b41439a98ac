import { Body, Post, Put } from '@nestjs/common';
import { everybody, FailsWith, Prepared, PreparesFirst, Routes, WritesUnaudited, WritesWhenChanged } from '@libs/http';
import { Client, type ClientFacts } from '../client.decorator.js';
import { EmailDto } from '../dto/email.dto.js';
import { ResetPasswordDto } from '../dto/password.dto.js';
import { PasswordResetsService } from './password-resets.service.js';

@Routes('account/password_reset', 'Account')
export class PasswordResetsController {
  constructor(private readonly resets: PasswordResetsService) {}

  /** Mails a link to choose a new password, if the address has an account. The answer is the same if not. */
  @Post()
  @WritesUnaudited(
    everybody('who forgot the password cannot sign in', { limited: true }),
    'it concerns a person, and no tenant',
  )
  @PreparesFirst()
  request(@Body() { email }: EmailDto): Promise<Prepared<void>> {
    return this.resets.request(email);
  }

  /**
   * Sets a new password with the token of the mailed link. The token works once, for 30 minutes. The request ends all
   * sessions of the user and verifies the e-mail address. When the address was not verified before, another person may
   * have used the account. The request then also removes the user's API keys and pending invitations, and the
   * notification channels of the user's tenants.
   */
  @Put()
  @WritesWhenChanged(
    everybody('the token of the mail is what opens it', { limited: true, hashesPassword: true }),
    ...(['member_joined', 'join_requested'] as const),
    ...(['api_key_deleted', 'invitation_cancelled', 'channel_deleted', 'tenant_updated'] as const),
  )
  @PreparesFirst()
  @FailsWith('email_token_invalid', 'service_busy')
  complete(@Body() dto: ResetPasswordDto, @Client() client: ClientFacts): Promise<Prepared<void>> {
    return this.resets.complete(dto, client);
  }
}
