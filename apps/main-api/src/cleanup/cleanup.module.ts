import { Module } from '@nestjs/common';
import { AuditSealReconciler } from './audit-seal-reconciler.js';
import { CleanupReconciler } from './cleanup.js';

/** Periodic work of worker processes. */
@Module({ providers: [CleanupReconciler, AuditSealReconciler] })
export class CleanupModule {}
