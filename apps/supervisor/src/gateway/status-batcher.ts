import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { NodeStatus, OrderReport, StatusRequest } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  ConnectorInstancesRepository,
  NodeOrdersRepository,
  NodesRepository,
  type ReportedConnector,
  type ReportedStatus,
} from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { SampleWriter } from './sample-writer.js';

/** Heartbeats without news wait this long to be written together. */
const FLUSH_MS = 2_000;
/** News is written almost at once, still together with what comes in the same moment. */
const NEWS_MS = 20;
/** How often agents report: four times before they would count as unreachable. */
const LONGEST_INTERVAL_MS = 10_000;
/** Kept of one report; a driver has a dozen. */
const GAUGES = 64;
/** No gauge is larger, and sums of such can still be built. */
const LARGEST_GAUGE = 1e15;

/**
 * Writes what agents report: one statement for all nodes that were heard of since the last one. A report that says
 * something new wakes the operations that may be waiting for it.
 */
@Injectable()
export class StatusBatcher implements OnApplicationShutdown {
  /** Until the next report of a node is wanted; said with every answer. */
  readonly intervalMs: number;
  private readonly logger = new Logger('StatusBatcher');
  private readonly nodes: NodesRepository;
  private readonly orders: NodeOrdersRepository;
  private readonly instances: ConnectorInstancesRepository;
  private readonly waiting = new Map<number, ReportedStatus>();
  /** What nodes said of their connectors, as far as it may be news. */
  private readonly connectors = new Map<number, ReportedConnector[]>();
  private readonly known = new Map<number, string>();
  private readonly news = new Set<number>();
  private readonly ended = new Map<number, readonly OrderReport[]>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    private readonly operations: Operations,
    private readonly samples: SampleWriter,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    this.intervalMs = Math.min(LONGEST_INTERVAL_MS, (config.NODE_UNREACHABLE_SECONDS * 1000) / 4);
    this.nodes = new NodesRepository(database);
    this.orders = new NodeOrdersRepository(database);
    this.instances = new ConnectorInstancesRepository(database);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flushing;
    await this.flush();
    await this.samples.writeAll();
  }

  /** Takes a report; it is in the database a moment later. */
  take(nodeId: number, request: StatusRequest): void {
    const report = toReport(nodeId, request);
    const connectors = toConnectors(nodeId, request);
    const { status, reason, runtimes, observed } = report;
    const said = JSON.stringify([status, reason, runtimes, observed, connectors, request.orders]);
    const isNews = this.known.get(nodeId) !== said;
    this.known.set(nodeId, said);
    this.waiting.set(nodeId, report);
    if (isNews) this.news.add(nodeId);
    if (isNews && request.orders) this.ended.set(nodeId, request.orders);
    if (isNews) this.connectors.set(nodeId, connectors);
    this.flushWithin(isNews ? NEWS_MS : FLUSH_MS);
  }

  private flushWithin(ms: number): void {
    const at = Date.now() + ms;
    if (at >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => {
      this.dueAt = Infinity;
      this.flushing = this.flushing.then(() => this.flush());
    }, ms);
  }

  private async flush(): Promise<void> {
    const reports = [...this.waiting.values()];
    const news = new Set(this.news);
    const connectors = [...this.connectors.values()].flat();
    if (reports.length === 0) return;
    const ended = [...this.ended].flatMap(([nodeId, orders]) => orders.map((order) => ({ nodeId, ...order })));
    this.waiting.clear();
    this.news.clear();
    this.ended.clear();
    this.connectors.clear();
    try {
      // Before the nodes: whoever sees that a node has taken its document up sees what became of its connectors, too.
      await this.instances.record(connectors);
      // Each statement is a commit of its own: a step's hop locks its operation and then nodes, so whoever holds nodes must
      // not wait for operations. A signal that is lost in between is found at the end of the nap.
      const written = await this.nodes.recordStatuses(reports);
      await this.orders.record(ended);
      const deployments = written.filter(({ id }) => news.has(id)).map(({ deploymentId }) => deploymentId);
      await this.operations.signal(...new Set(deployments));
      await this.samples.write(written, reports);
    } catch (error) {
      this.logger.warn({ err: error, nodes: reports.length }, 'reports were not written, the next ones will be');
      for (const { nodeId } of reports) this.known.delete(nodeId);
    }
  }
}

function toReport(nodeId: number, request: StatusRequest): ReportedStatus {
  const broker = request.runtimes.find(({ runtime }) => runtime === 'broker');
  const status: NodeStatus = broker?.status ?? 'starting';
  return {
    nodeId,
    status,
    reason: status === 'failed' ? (broker?.last_error ?? null) : null,
    agentVersion: request.agent_version,
    runtimes: request.runtimes,
    observed: request.observed,
    gauges: believable(request.stats),
  };
}

/** Without counters, and without what a connector notes while it works: what moves all the time is no news. */
const toConnectors = (nodeId: number, { connectors = [] }: StatusRequest): ReportedConnector[] =>
  connectors.map(({ instance_id, status, config_id, error }) => ({
    ...{ node_id: nodeId, instance_id, status, config_id, error: status === 'failed' ? error : null },
  }));

/** A node in a customer's account is not ours to trust: what it reports must fit a row and a sum. */
const believable = (stats: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(stats)
      .filter(([, value]) => Math.abs(value) <= LARGEST_GAUGE)
      .slice(0, GAUGES),
  );
