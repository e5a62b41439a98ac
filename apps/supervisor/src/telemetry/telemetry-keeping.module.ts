import { Module } from '@nestjs/common';
import { TelemetryHousekeeper } from './telemetry-housekeeper.js';
import { UsageAlertSweeper } from './usage-alert-sweeper.js';
import { UsageLedger } from './usage-ledger.js';

/** What is done with telemetry by itself: alerts, roll-ups, forgetting. For the processes that work. */
@Module({ providers: [TelemetryHousekeeper, UsageAlertSweeper, UsageLedger] })
export class TelemetryKeepingModule {}
