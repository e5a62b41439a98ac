import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import type { DeploymentId } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  TelemetryCleanupRepository,
  TransferMeteringRepository,
  type TelemetryLeft,
  type TransferPrices,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 20_000;
/** Limits of one pass: a day of missing roll-ups, and some hundred thousand rows of a deleted deployment. */
const HOURS_A_PASS = 24;
const ROUNDS_A_PASS = 20;

/**
 * Maintains the telemetry tables: creates future partitions and drops expired ones, rolls metrics up, and deletes the
 * rows of deleted deployments. One commit contains the roll-up of an hour and the metering of its transfer. So each
 * counter is metered once, also with several processes.
 */
@Injectable()
export class TelemetryCleanupReconciler extends Reconciler {
  private readonly prices: TransferPrices;
  private readonly cell: string;

  constructor(
    private readonly database: Database,
    private readonly keeping: TelemetryCleanupRepository,
    private readonly transfers: TransferMeteringRepository,
    catalog: Catalog,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('TelemetryCleanupReconciler', PERIOD_MS);
    this.prices = { version: catalog.version, usdPerGb: catalog.data.transfer_usd_per_gb };
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    await this.keeping.ensurePartitions();
    for (let hour = 0; hour < HOURS_A_PASS && !stopping.aborted; hour += 1) if (!(await this.rollUp())) break;
    for (const deployment of await this.keeping.left(this.cell)) await this.purge(deployment, stopping);
    // Last step: a long read can block it, and all other work is done by then.
    const dropped = await this.keeping.dropExpired();
    if (dropped.length > 0) this.logger.log({ partitions: dropped.join(' ') }, 'telemetry of past days was dropped');
  }

  /** Rolls up the next hour. False: there is none, or another process is rolling up. */
  private rollUp(): Promise<boolean> {
    return this.database.transaction(async () => {
      const hour = await this.keeping.claimHour();
      if (!hour) return false;
      await this.transfers.meterHour(hour, this.prices);
      await this.keeping.rollUp(hour);
      return true;
    });
  }

  /** Deletes a few thousand rows per statement, so that no statement blocks others for long. */
  private async purge({ id, isSettled }: TelemetryLeft, stopping: AbortSignal): Promise<void> {
    // Before the rows are deleted: the roll-up of the last hours would come too late.
    await this.holding(() => this.transfers.meterDeployment(id, this.prices));
    for (let round = 0; round < ROUNDS_A_PASS; round += 1) {
      if (stopping.aborted) return;
      if (await this.keeping.purge(id)) continue;
      if (isSettled) await this.holding(() => this.forget(id));
      return;
    }
  }

  private async forget(deploymentId: DeploymentId): Promise<void> {
    await this.transfers.forget(deploymentId);
    await this.keeping.markPurged(deploymentId);
  }

  /** Work that changes marks outside a roll-up excludes roll-ups. */
  private holding(work: () => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await this.keeping.lock();
      await work();
    });
  }
}
