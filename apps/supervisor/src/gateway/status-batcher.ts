import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { StatusRequest, NodeId } from '@libs/domain';
import {
  ConnectorInstancesRepository,
  NodeOrdersRepository,
  NodesRepository,
  type HeardNode,
} from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { heartbeatMs } from '../platform/index.js';
import { LoginAlarms } from './login-alarms.js';
import { NodeNotices } from './node-notices.js';
import { SampleWriter } from './sample-writer.js';
import { fingerprintOf, toWaiting, type WaitingReport } from './status-report.js';
import { writeApart } from './write-apart.js';

/** Delay of heartbeats without changes, so that they are written together. */
const HEARTBEAT_DELAY_MS = 2_000;
/** Delay of reports with changes: short, but together with other reports of the same moment. */
const CHANGE_DELAY_MS = 20;

/**
 * Writes the reports of agents: one statement for all nodes since the last one. A report with a change wakes the
 * operations that may wait for it. A report that cannot be stored affects only its own node.
 */
@Injectable()
export class StatusBatcher implements OnApplicationShutdown {
  /** Milliseconds until the next report of a node, included in every answer. */
  readonly intervalMs: number;
  private readonly logger = new Logger('StatusBatcher');
  private waiting = new Map<NodeId, WaitingReport>();
  private readonly fingerprints = new Map<NodeId, string>();
  private timer: NodeJS.Timeout | undefined;
  private dueAt = Infinity;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly nodes: NodesRepository,
    private readonly orders: NodeOrdersRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly operations: Operations,
    private readonly samples: SampleWriter,
    private readonly notices: NodeNotices,
    private readonly logins: LoginAlarms,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    this.intervalMs = heartbeatMs(config);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.dueAt = Infinity;
    await this.flushing;
    await this.flush();
    await this.samples.writeAll();
  }

  /** Takes a report. It is written a moment later. */
  take(nodeId: NodeId, request: StatusRequest): void {
    const fingerprint = fingerprintOf(nodeId, request);
    const hasChanged = this.fingerprints.get(nodeId) !== fingerprint;
    this.fingerprints.set(nodeId, fingerprint);
    this.waiting.set(nodeId, toWaiting(nodeId, request, hasChanged, this.waiting.get(nodeId)));
    if (hasChanged && request.refused)
      this.logger.error({ node: nodeId, ...request.refused }, 'agent refused a document');
    this.flushWithin(hasChanged ? CHANGE_DELAY_MS : HEARTBEAT_DELAY_MS);
  }

  /** The agents are gone: heartbeats that are not written yet say nothing any more, and their next reports are changes. */
  forget(nodes: readonly NodeId[]): void {
    for (const nodeId of nodes) {
      this.fingerprints.delete(nodeId);
      if (this.waiting.get(nodeId)?.hasChanged === false) this.waiting.delete(nodeId);
    }
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
    if (reports.length === 0) return;
    this.waiting = new Map();
    try {
      const heard: HeardNode[] = [];
      const bad = await writeApart(reports, async (part) => void heard.push(...(await this.write(part))));
      await this.samples.write(
        heard,
        reports.map(({ report }) => report),
      );
      await this.logins.take(reports.map(({ report, refusedLogins }) => ({ nodeId: report.nodeId, refusedLogins })));
      for (const { item, error } of bad) await this.notices.reportDropped(item.report.nodeId, 'status', error);
    } catch (error) {
      this.logger.warn({ err: error, nodes: reports.length }, 'status reports are lost, agents send them again');
      for (const { report } of reports) this.fingerprints.delete(report.nodeId);
    }
  }

  /** Writes reports of several nodes. May be called again with some of them. Returns the written nodes. */
  private async write(part: readonly WaitingReport[]): Promise<HeardNode[]> {
    // Written before the nodes: a reader that finds a document applied must also find the results of its connectors.
    await this.instances.record(part.flatMap(({ connectors }) => connectors));
    // Each statement is its own commit. The hop of a step locks its operation and then nodes, so code that has locks on
    // nodes must not wait for operations. The end of the nap repairs a signal that is lost in between.
    const written = await this.nodes.recordStatuses(part.map(({ report }) => report));
    await this.orders.record(
      part.flatMap(({ report, ended }) => ended.map((order) => ({ nodeId: report.nodeId, ...order }))),
    );
    const changedNodes = new Set(part.filter(({ hasChanged }) => hasChanged).map(({ report }) => report.nodeId));
    const deployments = written.filter(({ id }) => changedNodes.has(id)).map(({ deploymentId }) => deploymentId);
    await this.operations.signal(...new Set(deployments));
    return written;
  }
}
