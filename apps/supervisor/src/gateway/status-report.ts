import type { NodeStatus, OrderReport, StatusRequest } from '@libs/domain';
import type { ReportedConnector, ReportedStatus } from '@libs/persistence/runtime';

/** What is to be written of one node. */
export interface WaitingReport {
  report: ReportedStatus;
  /** What the node said of its connectors, as far as it may be news. */
  connectors: readonly ReportedConnector[];
  /** Orders that have ended, as far as that may be news. */
  ended: readonly OrderReport[];
  hasChanged: boolean;
}

/** The newest status of a node, with the news that an older one of the same moment brought. */
export function toWaiting(
  nodeId: number,
  request: StatusRequest,
  hasChanged: boolean,
  before: WaitingReport | undefined,
): WaitingReport {
  const { connectors = [], ended = [] } = before ?? {};
  return {
    report: toReport(nodeId, request),
    connectors: hasChanged ? toConnectors(nodeId, request) : connectors,
    ended: (hasChanged && request.orders) || ended,
    hasChanged: hasChanged || (before?.hasChanged ?? false),
  };
}

/** What makes a status news when it differs from the one before. */
export function changeOf(nodeId: number, request: StatusRequest): string {
  const { status, reason, runtimes, observed } = toReport(nodeId, request);
  const { orders, refused } = request;
  return JSON.stringify([status, reason, runtimes, observed, toConnectors(nodeId, request), orders, refused]);
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
    gauges: request.stats,
  };
}

/** Without counters, and without what a connector notes while it works: what moves all the time is no news. */
const toConnectors = (nodeId: number, { connectors = [] }: StatusRequest): ReportedConnector[] =>
  connectors.map(({ instance_id, status, config_id, error }) => ({
    ...{ node_id: nodeId, instance_id, status, config_id, error: status === 'failed' ? error : null },
  }));
