import { Module } from '@nestjs/common';
import { AbandonedLogins } from './abandoned-logins.js';
import { AccountCleanup } from './account-cleanup.js';
import { AuditSealReconciler } from './audit-seal-reconciler.js';
import { CleanupReconciler } from './cleanup-reconciler.js';

/** Periodic work of worker processes. */
@Module({
  providers: [AbandonedLogins, AccountCleanup, CleanupReconciler, AuditSealReconciler],
})
export class CleanupModule {}
