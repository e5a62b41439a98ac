import { Module } from '@nestjs/common';
import { AuditSealReconciler } from './audit-seal-reconciler.js';
import { CleanupReconciler } from './cleanup.js';

/** What has to be done now and then, in worker processes. */
@Module({ providers: [CleanupReconciler, AuditSealReconciler] })
export class CleanupModule {}
