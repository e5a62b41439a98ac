import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { TelemetryKeepingRepository, type TelemetryLeft } from '@libs/persistence/runtime';
import { StandingTruth } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 20_000;
/** Of one pass: a day that nobody was there to roll up, and some hundred thousand rows of a deleted deployment. */
const HOURS_A_PASS = 24;
const ROUNDS_A_PASS = 20;

/** Keeps telemetry from growing: days ahead and days that are over, roll-ups, and what deleted deployments left. */
@Injectable()
export class TelemetryHousekeeper extends StandingTruth {
  private readonly keeping: TelemetryKeepingRepository;
  private readonly cell: string;

  constructor(database: Database, @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig) {
    super('TelemetryHousekeeper', PERIOD_MS);
    this.keeping = new TelemetryKeepingRepository(database);
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    await this.keeping.ensurePartitions();
    for (let hour = 0; hour < HOURS_A_PASS && !stopping.aborted; hour += 1) if (!(await this.keeping.rollUp())) break;
    for (const left of await this.keeping.left(this.cell)) await this.purge(left, stopping);
    // Last: a long read may keep it from its work, and all that is before it is done.
    const dropped = await this.keeping.dropExpired();
    if (dropped.length > 0) this.logger.log({ partitions: dropped.join(' ') }, 'telemetry of past days was dropped');
  }

  /** In rounds of a few thousand rows, so that no statement holds up others for long. */
  private async purge({ id, isSettled }: TelemetryLeft, stopping: AbortSignal): Promise<void> {
    for (let round = 0; round < ROUNDS_A_PASS; round += 1) {
      if (stopping.aborted) return;
      if (await this.keeping.purge(id)) continue;
      if (isSettled) await this.keeping.markPurged(id);
      return;
    }
  }
}
