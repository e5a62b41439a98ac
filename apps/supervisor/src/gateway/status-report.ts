import type {
  ConnectorCounts,
  ConnectorReport,
  NodeId,
  NodeStatus,
  OrderReport,
  RefusedLogins,
  StatusRequest,
} from '@libs/domain';
import type { ReportedConnector, ReportedStatus } from '@libs/persistence/runtime';

/** The pending writes of one node. */
export interface WaitingReport {
  report: ReportedStatus;
  /** The node's reports about its connectors, if they may have changed. */
  connectors: readonly ReportedConnector[];
  /** Ended orders, if they may have changed. */
  ended: readonly OrderReport[];
  refusedLogins: readonly RefusedLogins[];
  hasChanged: boolean;
}

/** Returns the newest status of a node, with the changes of an older one that is not written yet. */
export function toWaiting(
  nodeId: NodeId,
  request: StatusRequest,
  hasChanged: boolean,
  before: WaitingReport | undefined,
): WaitingReport {
  const { connectors = [], ended = [] } = before ?? {};
  return {
    report: toReport(nodeId, request),
    connectors: hasChanged ? toConnectors(nodeId, request) : connectors,
    ended: (hasChanged && request.orders) || ended,
    refusedLogins: request.refused_logins ?? [],
    hasChanged: hasChanged || (before?.hasChanged ?? false),
  };
}

/** Returns a text that differs between two statuses when the newer one contains a change. */
export function fingerprintOf(nodeId: NodeId, request: StatusRequest): string {
  const { status, reason, runtimes, observed } = toReport(nodeId, request);
  const { orders, refused } = request;
  return JSON.stringify([status, reason, runtimes, observed, toConnectors(nodeId, request), orders, refused]);
}

function toReport(nodeId: NodeId, request: StatusRequest): ReportedStatus {
  const broker = request.runtimes.find(({ runtime }) => runtime === 'broker');
  const status: NodeStatus = broker?.status ?? 'starting';
  return {
    nodeId,
    status,
    reason: status === 'failed' || status === 'starting' ? (broker?.last_error ?? null) : null,
    agentVersion: request.agent_version,
    runtimes: request.runtimes,
    observed: request.observed,
    gauges: request.stats,
    counts: (request.connectors ?? []).map(toCounts),
  };
}

/** A node of an earlier release reports only the moved messages. */
const toCounts = ({ instance_id, messages, ...report }: ConnectorReport): ConnectorCounts => ({
  ...{ instance_id, moved: messages, failed: report.failed ?? 0, lag: report.lag ?? 0 },
  ...{ dead_letters: report.dead_letters ?? 0, dead_letters_dropped: report.dead_letters_dropped ?? 0 },
  last_error: report.last_error ?? report.error,
});

/** Without counters, and without the error of a connector that works: values that change all the time are not a change. */
const toConnectors = (nodeId: NodeId, { connectors = [] }: StatusRequest): ReportedConnector[] =>
  connectors.map(({ instance_id, status, config_id, error }) => ({
    ...{ node_id: nodeId, instance_id, status, config_id, error: status === 'failed' ? error : null },
  }));
