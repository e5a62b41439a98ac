import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { AccountLog } from './account-log.js';
import { AccountMails } from './account-mails.js';
import { AddressRecovery } from './address-recovery.js';
import { AccountController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { DomainAdmission } from './domain-admission.js';
import { DomainAnnouncements } from './domain-announcements.js';
import { EmailTokens } from './email-tokens.js';
import { FirstSignIns } from './first-sign-ins.js';
import { PasswordCheck } from './passwords/password-check.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordResetsController } from './passwords/password-resets.controller.js';
import { PasswordResetsService } from './passwords/password-resets.service.js';
import { SessionCookies } from './session-cookies.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignUpController } from './sign-up.controller.js';
import { SignUpService } from './sign-up.service.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [AccountController, SignUpController, SessionsController, PasswordResetsController],
  providers: [
    ...[AccountService, SignUpService, VerificationService, SessionsService, PasswordResetsService],
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
    ...[
      SessionCookies,
      FirstSignIns,
      PasswordCheck,
      EmailTokens,
      DomainAdmission,
      AddressRecovery,
      DomainAnnouncements,
      AccountMails,
      AccountLog,
    ],
  ],
})
export class AccountModule {}
