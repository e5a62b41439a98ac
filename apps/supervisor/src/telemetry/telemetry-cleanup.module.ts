import { Module } from '@nestjs/common';
import { TelemetryCleanupReconciler } from './telemetry-cleanup-reconciler.js';
import { UsageAlertReconciler } from './usage-alert-reconciler.js';
import { UsageLedger } from './usage-ledger.js';

/** What is done with telemetry by itself: alerts, roll-ups, forgetting. For the processes that work. */
@Module({ providers: [TelemetryCleanupReconciler, UsageAlertReconciler, UsageLedger] })
export class TelemetryCleanupModule {}
