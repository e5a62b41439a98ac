import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import { nextUsageState, type UsageThresholds } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  UsageAlertsRepository,
  type SizesOfNodes,
  type UsageSample,
  type UsageVerdict,
  type WrittenVerdict,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { UsageLedger } from './usage-ledger.js';

const BYTES_PER_GIB = 1024 ** 3;
/** Agents report at least this often. */
const LONGEST_PERIOD_MS = 10_000;

/**
 * Sends an event when CPU, memory or disk of a node runs out, and when the usage is normal again. A sample is the
 * newest report at a pass. Two samples are at least half a period apart, with any number of Supervisors. State, period
 * and event are one commit.
 */
@Injectable()
export class UsageAlertReconciler extends Reconciler {
  private readonly thresholds: UsageThresholds;
  private readonly sizes: SizesOfNodes;
  private readonly cell: string;
  private readonly gapSeconds: number;

  constructor(
    private readonly database: Database,
    private readonly alerts: UsageAlertsRepository,
    private readonly ledger: UsageLedger,
    catalog: Catalog,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    const periodMs = Math.min(LONGEST_PERIOD_MS, (config.NODE_UNREACHABLE_SECONDS * 1000) / 4);
    super('UsageAlerts', periodMs);
    this.cell = config.SUPERVISOR_CELL;
    this.gapSeconds = periodMs / 2000;
    this.thresholds = {
      highPercent: config.ALERT_HIGH_PERCENT,
      resolvedPercent: config.ALERT_RESOLVED_PERCENT,
      samples: config.ALERT_SAMPLES,
    };
    const tiers = catalog.tiers();
    this.sizes = {
      memoryBytes: Object.fromEntries(tiers.map(({ key, memory_gib }) => [key, memory_gib * BYTES_PER_GIB])),
      vcpus: Object.fromEntries(tiers.map(({ key, vcpus }) => [key, vcpus])),
    };
  }

  protected async pass(): Promise<void> {
    await this.database.transaction(async () => {
      if (!(await this.alerts.isJudge(this.cell))) return;
      const { highPercent } = this.thresholds;
      const samples = await this.alerts.samples(this.cell, highPercent, this.gapSeconds, this.sizes);
      if (samples.length === 0) return;
      const verdicts = samples.map((sample) => this.judge(sample));
      for (const written of await this.alerts.write(verdicts)) await this.tell(written, samples, verdicts);
    });
  }

  private judge(sample: UsageSample): UsageVerdict {
    return { ...sample, ...nextUsageState(sample, sample.percent, this.thresholds) };
  }

  private async tell(written: WrittenVerdict, samples: UsageSample[], verdicts: UsageVerdict[]): Promise<void> {
    const index = samples.findIndex(({ nodeId, kind }) => nodeId === written.nodeId && kind === written.kind);
    const [sample, verdict] = [samples[index], verdicts[index]];
    if (!sample || !verdict || written.since === null || sample.isHigh === verdict.isHigh) return;
    await this.ledger.changed(sample, written.since, verdict.isHigh);
    this.logger.warn(
      { node: sample.nodeId, kind: sample.kind, percent: Math.round(sample.percent) },
      verdict.isHigh ? 'usage is high' : 'usage is back to normal',
    );
  }
}
