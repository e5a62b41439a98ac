import { Module } from '@nestjs/common';
import { TelemetryCleanupReconciler } from './telemetry-cleanup-reconciler.js';
import { UsageAlertReconciler } from './usage-alert-reconciler.js';
import { UsageLedger } from './usage-ledger.js';

/** Automatic work on telemetry: alerts, roll-ups, deletion. For worker processes. */
@Module({
  providers: [TelemetryCleanupReconciler, UsageAlertReconciler, UsageLedger],
})
export class TelemetryCleanupModule {}
