import { Injectable, Logger } from '@nestjs/common';
import { metricsOf, METRIC_STEP_SECONDS, type NodeId } from '@libs/domain';
import {
  TelemetrySamplesRepository,
  type HeardNode,
  type NodeSample,
  type ReportedStatus,
} from '@libs/persistence/runtime';
import { NodeNotices } from './node-notices.js';
import { writeApart } from './write-apart.js';

const MINUTE_MS = METRIC_STEP_SECONDS.raw * 1000;
/** Interval of the search for nodes without reports. For other nodes the next report completes the minute. */
const LOOK_MS = 5_000;
/** Maximum samples in memory while the database is unavailable. */
const KEPT_SAMPLES = 50_000;

/**
 * Converts reports to one heartbeat and one row of metrics per node and minute. The first report of a minute, and a
 * report with another status, is written at once. The others are written together when the minute is over: two writes
 * of a row instead of six. Reports that a killed process had not written are missing in the count of the minute; the
 * minute itself exists.
 */
@Injectable()
export class SampleWriter {
  private readonly logger = new Logger('SampleWriter');
  /** Reports after the first one of the minute, by node. */
  private readonly gathering = new Map<NodeId, NodeSample>();
  /** Minute and status that are already written, by node. */
  private readonly written = new Map<NodeId, string>();
  private ready = new Map<string, NodeSample>();
  private lookedAtMs = 0;

  constructor(
    private readonly samples: TelemetrySamplesRepository,
    private readonly notices: NodeNotices,
  ) {}

  /** Adds the reports and writes the due samples in one statement. Never rejects. */
  async write(heard: readonly HeardNode[], reports: readonly ReportedStatus[]): Promise<void> {
    const byNode = new Map(reports.map((report) => [report.nodeId, report]));
    for (const node of heard) {
      const report = byNode.get(node.id);
      if (report) this.take(toSample(node, report));
    }
    this.releaseOver();
    await this.flush();
  }

  /** Writes all samples when the process stops. */
  async writeAll(): Promise<void> {
    for (const sample of this.gathering.values()) this.makeReady(sample);
    this.gathering.clear();
    await this.flush();
  }

  private take(sample: NodeSample): void {
    const { nodeId, minute, status } = sample;
    const gathered = this.gathering.get(nodeId);
    if (this.written.get(nodeId) === `${minute} ${status}`) {
      this.gathering.set(nodeId, gathered ? merged(gathered, sample) : sample);
      return;
    }
    if (gathered) this.makeReady(gathered);
    this.gathering.delete(nodeId);
    this.written.set(nodeId, `${minute} ${status}`);
    this.makeReady(sample);
  }

  /** Writes the last minute of nodes that no longer report. */
  private releaseOver(): void {
    if (Date.now() - this.lookedAtMs < LOOK_MS) return;
    this.lookedAtMs = Date.now();
    for (const [nodeId, sample] of this.gathering) {
      if (Date.now() - Date.parse(sample.minute) < MINUTE_MS + LOOK_MS) continue;
      this.makeReady(sample);
      this.gathering.delete(nodeId);
      this.written.delete(nodeId);
    }
  }

  private makeReady(sample: NodeSample): void {
    const key = `${sample.nodeId} ${sample.minute}`;
    const pending = this.ready.get(key);
    this.ready.set(key, pending ? merged(pending, sample) : sample);
  }

  private async flush(): Promise<void> {
    const due = this.ready;
    if (due.size === 0) return;
    this.ready = new Map();
    try {
      const bad = await writeApart([...due.values()], (part) => this.samples.record(part));
      for (const { item, error } of bad) await this.notices.reportDropped(item.nodeId, 'sample', error);
    } catch (error) {
      this.logger.warn({ err: error, samples: due.size }, 'samples were not written, will be tried again');
      for (const sample of due.values()) if (this.ready.size < KEPT_SAMPLES) this.makeReady(sample);
    }
  }
}

/** Merges two samples. The newer values replace the older ones; missing values stay. */
function merged(older: NodeSample, newer: NodeSample): NodeSample {
  return {
    ...newer,
    beats: older.beats + newer.beats,
    metrics: { ...older.metrics, ...newer.metrics },
    connectors: { ...older.connectors, ...newer.connectors },
  };
}

function toSample({ id, deploymentId, seenAt }: HeardNode, report: ReportedStatus): NodeSample {
  return {
    deploymentId,
    nodeId: id,
    minute: new Date(Math.floor(seenAt.getTime() / MINUTE_MS) * MINUTE_MS).toISOString(),
    beats: 1,
    lastAt: seenAt,
    status: report.status,
    agentVersion: report.agentVersion,
    runtime: 'broker',
    metrics: metricsOf(report.gauges),
    connectors: metricsOf(report.gauges, 'connectors'),
  };
}
