import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import {
  RuntimesRepository,
  TelemetryCleanupRepository,
  TransferMeteringRepository,
  UsageAlertsRepository,
} from '@libs/persistence/runtime';
import { TelemetryCleanupReconciler } from './telemetry-cleanup-reconciler.js';
import { UsageAlertReconciler } from './usage-alert-reconciler.js';
import { UsageLedger } from './usage-ledger.js';

/** Automatic work on telemetry: alerts, roll-ups, deletion. For worker processes. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      RuntimesRepository,
      TelemetryCleanupRepository,
      TransferMeteringRepository,
      UsageAlertsRepository,
    ]),
  ],
  providers: [TelemetryCleanupReconciler, UsageAlertReconciler, UsageLedger],
})
export class TelemetryCleanupModule {}
