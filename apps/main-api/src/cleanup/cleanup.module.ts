import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { AuditSealsRepository } from '@libs/persistence/ledger';
import {
  EmailTokensRepository,
  InvitationsRepository,
  LoginCodesRepository,
  ProtectionCodesRepository,
  SessionsRepository,
  SignInLocksRepository,
} from '@libs/persistence/organization';
import {
  IdempotencyRepository,
  InstallationRepository,
  OperationEventsRepository,
  RateCountsRepository,
} from '@libs/persistence/platform';
import { AbandonedLogins } from './abandoned-logins.js';
import { AccountCleanup } from './account-cleanup.js';
import { AuditSealReconciler } from './audit-seal-reconciler.js';
import { CleanupReconciler } from './cleanup-reconciler.js';

/** Periodic work of worker processes. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      AuditSealsRepository,
      EmailTokensRepository,
      IdempotencyRepository,
      InstallationRepository,
      InvitationsRepository,
      LoginCodesRepository,
      OperationEventsRepository,
      ProtectionCodesRepository,
      RateCountsRepository,
      SessionsRepository,
      SignInLocksRepository,
    ]),
  ],
  providers: [AbandonedLogins, AccountCleanup, CleanupReconciler, AuditSealReconciler],
})
export class CleanupModule {}
