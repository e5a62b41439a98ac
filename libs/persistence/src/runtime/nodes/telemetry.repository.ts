import { Injectable } from '@nestjs/common';
import {
  METRIC_NAMES,
  METRIC_STEP_SECONDS,
  METRICS,
  RAW_METRIC_HOURS,
  type MetricName,
  type NodeRuntime,
  type DeploymentId,
  type NodeId,
} from '@libs/domain';
import { statement, Database } from '../../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import type { NodeHeartbeat } from './entities/node-heartbeat.entity.js';
import type { Node } from './entities/node.entity.js';

/** The reports of a node within one minute. */
export type HeartbeatRow = Pick<NodeHeartbeat, 'node_id' | 'minute' | 'beats' | 'last_at' | 'status' | 'agent_version'>;

/** A node with the gauges of its last report. */
export interface LatestRow extends Pick<Node, 'name' | 'gauges'> {
  node_id: Node['id'];
  last_seen_at: Date;
  is_reachable: boolean;
}

/** Averages of gauges and last values of counters, from `at` until the next step. Null without a reported value. */
export type MetricPoint = { at: Date } & Record<MetricName, number | null>;

/** A point of one of several runtimes. */
export type RuntimePoint = MetricPoint & { node_id: NodeId; runtime: NodeRuntime };

/** The requested period and step. */
export interface SeriesWindow {
  from: Date;
  to: Date;
  stepSeconds: number;
}

/** The requested period, step, node and runtime. */
export interface SeriesRequest extends SeriesWindow {
  deploymentId: DeploymentId;
  nodeId: NodeId;
  runtime: NodeRuntime;
}

/** The start of the telemetry retention of a deployment. */
export const KEPT_SINCE = '(select now() - make_interval(days => d.telemetry_days) from deployments d where d.id = $1)';

const HEARTBEATS = `from node_heartbeats where deployment_id = $1 and minute >= ${KEPT_SINCE}`;
const ORDER = {
  columns: 'node_id, minute, beats, last_at, status, agent_version',
  isLarge: true,
  id: 'node_id',
  keys: { minute: byTime('minute') },
  usual: '-minute',
};
const LIST = paged('heartbeat.list', { rows: HEARTBEATS, ...ORDER });
const LIST_OF_NODE = paged('heartbeat.list_of_node', { rows: `${HEARTBEATS} and node_id = $2`, ...ORDER });
const LATEST = statement(
  'metric.latest',
  `select id as node_id, name, last_seen_at, gauges,
          unreachable_since is null and last_seen_at > now() - make_interval(secs => $2) as is_reachable
     from nodes where deployment_id = $1 and last_seen_at is not null order by ordinal`,
);
const HAS_NODE = statement('metric.has_node', 'select 1 from nodes where deployment_id = $1 and id = $2');

const NAMES = METRIC_NAMES.join(', ');
const AGGREGATES = METRIC_NAMES.map((name) =>
  METRICS[name].kind === 'gauge' ? `avg(${name}) as ${name}` : `max(${name}) as ${name}`,
).join(', ');
// Reads roll-ups for times before the raw rows. Both parts share one bound, so that no row is read twice. `keys` are the
// columns that distinguish the series, each with a comma.
const seriesOf = (scope: string, keys: string): string =>
  `with bound as materialized (
     select greatest($2::timestamptz, ${KEPT_SINCE}) as since,
            date_bin('${METRIC_STEP_SECONDS.rolledUp} seconds', now() - interval '${RAW_METRIC_HOURS} hours', 'epoch') as raw_since
   )
   select ${keys} date_bin(make_interval(secs => $4), minute, 'epoch') as at, ${AGGREGATES}
     from (select ${keys} minute, ${NAMES} from node_metrics where deployment_id = $1 and ${scope}
              and minute >= greatest((select since from bound), (select raw_since from bound)) and minute < $3::timestamptz
           union all
           select ${keys} minute, ${NAMES} from node_metric_rollups where deployment_id = $1 and ${scope}
              and minute >= (select since from bound) and minute < least($3::timestamptz, (select raw_since from bound))) kept
    group by ${keys} at order by ${keys} at`;
const SERIES = statement('metric.series', seriesOf('node_id = $5 and runtime = $6', ''));
const SERIES_OF_NODES = statement(
  'metric.series_of_nodes',
  seriesOf('node_id = any($5::bigint[])', 'node_id, runtime,'),
);

/** Reads heartbeats and metrics, within the retention of their deployment. */
@Injectable()
export class TelemetryRepository {
  constructor(private readonly database: Database) {}

  /** Newest first, of one node, or with null of all nodes. */
  async heartbeats(
    deploymentId: DeploymentId,
    nodeId: NodeId | null,
    request: PageRequest,
  ): Promise<PageOf<HeartbeatRow>> {
    return nodeId === null
      ? readPage<HeartbeatRow>(this.database, LIST, [deploymentId], request)
      : readPage<HeartbeatRow>(this.database, LIST_OF_NODE, [deploymentId, nodeId], request);
  }

  /** All nodes that ever reported. A node is reachable if it reported within `reachableSeconds`. */
  async latest(deploymentId: DeploymentId, reachableSeconds: number): Promise<LatestRow[]> {
    return this.database.query<LatestRow>(LATEST, [deploymentId, reachableSeconds]);
  }

  async hasNode(deploymentId: DeploymentId, nodeId: NodeId): Promise<boolean> {
    return (await this.database.query(HAS_NODE, [deploymentId, nodeId])).length > 0;
  }

  /** Oldest first. Omits steps without values. */
  async series({ deploymentId, nodeId, runtime, ...window }: SeriesRequest): Promise<MetricPoint[]> {
    return this.database.query<MetricPoint>(SERIES, [deploymentId, ...boundsOf(window), nodeId, runtime]);
  }

  /** Like `series` for all runtimes of these nodes, one series after the other. */
  async seriesOfNodes(
    deploymentId: DeploymentId,
    nodeIds: readonly NodeId[],
    window: SeriesWindow,
  ): Promise<RuntimePoint[]> {
    return this.database.query<RuntimePoint>(SERIES_OF_NODES, [deploymentId, ...boundsOf(window), nodeIds]);
  }
}

const boundsOf = ({ from, to, stepSeconds }: SeriesWindow) => [from.toISOString(), to.toISOString(), stepSeconds];
