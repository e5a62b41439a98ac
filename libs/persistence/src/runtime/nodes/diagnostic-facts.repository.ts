import { Injectable } from '@nestjs/common';
import { LOG_RUNTIMES, type LogRuntime, type DeploymentId, type NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { KEPT_SINCE } from './telemetry.repository.js';
import type { Node } from './entities/node.entity.js';
import type { NodeDocument } from './entities/node-document.entity.js';
import type { Operation } from '../../platform/entities/operation.entity.js';
import type { NodeLog } from './entities/node-log.entity.js';

/** A node as the database has it, with the desired document and the applied one. */
export interface NodeFactsRow extends Pick<
  Node,
  | 'id'
  | 'name'
  | 'ordinal'
  | 'role'
  | 'variant'
  | 'status'
  | 'status_reason'
  | 'agent_version'
  | 'zone'
  | 'memory_mib'
  | 'storage_size'
  | 'last_seen_at'
  | 'unreachable_since'
  | 'observed_generation'
  | 'runtimes'
  | 'gauges'
> {
  driver: string;
  version: NonNullable<Node['broker_version']>;
  /** Seconds since that time, by the clock of the database. */
  silent_seconds: number | null;
  /** A user, an operator or a restore stopped the node. */
  is_stopped: boolean;
  wanted_generation: NodeDocument['generation'] | null;
  /** The overused resources: cpu, memory, disk. */
  alerts: string[];
  /** Minutes of the last day with reports, and the longest period without reports in seconds. */
  minutes_heard: number;
  longest_gap_seconds: number | null;
  /** Log lines of the last day, and batches with dropped lines. */
  warnings: number;
  errors: number;
  log_drops: number;
}

/** An operation on the deployment, with its incident while the incident is open. */
export interface OperationFactsRow extends Pick<
  Operation,
  'id' | 'type' | 'status' | 'step' | 'reason' | 'last_error' | 'created_at' | 'finished_at'
> {
  incident: { kind: string; detail: string; opened_at: string } | null;
}

export interface LogFactsRow extends Pick<NodeLog, 'at' | 'level' | 'message'> {
  node_id: NodeId;
  runtime: LogRuntime;
}

const NODES = statement(
  'diagnostic_fact.nodes',
  `with heard as (
     select node_id, count(*)::int as minutes, max(gap)::float8 as gap from (
       select node_id, extract(epoch from last_at - lag(last_at) over (partition by node_id order by minute)) as gap
         from node_heartbeats where deployment_id = $1 and minute >= now() - interval '1 day') beats group by node_id
   ), said as (
     select node_id, (count(*) filter (where level = 'warn'))::int as warnings, (count(*) filter (where level = 'error'))::int as errors,
            (count(*) filter (where runtime = 'agent' and message like '%of the log were left out: a node may send%'))::int as drops
       from node_logs where deployment_id = $1 and at >= now() - interval '1 day' and level <> 'info' and level in ('warn', 'error')
      group by node_id
   )
   select n.id, n.name, n.ordinal, n.role, n.broker_driver as driver, n.broker_version as version, n.variant, n.status, n.status_reason,
          n.agent_version, n.zone, n.memory_mib, n.storage_size, n.last_seen_at,
          extract(epoch from now() - n.last_seen_at)::float8 as silent_seconds, n.unreachable_since,
          (n.stopped_at is not null or n.drained_at is not null or n.held_at is not null) as is_stopped,
          d.generation as wanted_generation, n.observed_generation, n.runtimes, n.gauges,
          coalesce((select jsonb_agg(a.kind order by a.kind) from node_alerts a where a.node_id = n.id and a.since is not null), '[]') as alerts,
          coalesce(h.minutes, 0) as minutes_heard, h.gap as longest_gap_seconds, coalesce(s.warnings, 0) as warnings,
          coalesce(s.errors, 0) as errors, coalesce(s.drops, 0) as log_drops
     from nodes n left join node_documents d on d.node_id = n.id left join heard h on h.node_id = n.id
     left join said s on s.node_id = n.id
    where n.deployment_id = $1 order by n.ordinal`,
);
const OPERATIONS = statement(
  'diagnostic_fact.operations',
  `select o.id, o.type, o.status, o.step, o.reason, o.last_error, o.created_at, o.finished_at,
          (select jsonb_build_object('kind', i.kind, 'detail', i.detail, 'opened_at', i.opened_at) from incidents i
            where i.id = o.incident_id and i.closed_at is null) as incident
     from operations o where o.deployment_id = $1 and o.created_at >= now() - interval '7 days' order by o.id desc limit 100`,
);
const ROTATED = statement(
  'diagnostic_fact.rotated',
  `select max(finished_at) as at from operations where deployment_id = $1 and type = 'rotate_credentials' and status = 'succeeded'`,
);
const BORN = statement('diagnostic_fact.born', 'select created_at as at from deployments where id = $1');
// Reads only one week, because a report shows one week. So the query reads only its partitions.
const LOGS = statement(
  'diagnostic_fact.logs',
  `select n.id as node_id, r.name as runtime, l.at, l.level, l.message
     from unnest($2::bigint[]) as n(id) cross join unnest($3::text[]) as r(name) cross join lateral (
       select id, at, level, message from node_logs
        where deployment_id = $1 and node_id = n.id and runtime = r.name and at >= now() - interval '7 days' and at >= ${KEPT_SINCE}
        order by at desc, id desc limit $4) l
    order by n.id, r.name, l.at, l.id`,
);

/** Facts in the database about the health of a deployment. */
@Injectable()
export class DiagnosticFactsRepository {
  constructor(private readonly database: Database) {}

  /** Ordered by node. */
  async nodes(deploymentId: DeploymentId): Promise<NodeFactsRow[]> {
    return this.database.query<NodeFactsRow>(NODES, [deploymentId]);
  }

  /** Operations of the last week, newest first, at most a hundred. */
  async operations(deploymentId: DeploymentId): Promise<OperationFactsRow[]> {
    return this.database.query<OperationFactsRow>(OPERATIONS, [deploymentId]);
  }

  /** When the current credentials were issued: at the last rotation, otherwise at the creation of the deployment. */
  async credentialsSince(deploymentId: DeploymentId): Promise<Date | null> {
    const [rotated] = await this.database.query<{ at: Date | null }>(ROTATED, [deploymentId]);
    if (rotated?.at) return rotated.at;
    return (await this.database.first<{ at: Date }>(BORN, [deploymentId]))?.at ?? null;
  }

  /** The last lines of each runtime of these nodes within the last week, at most `limit` each, oldest first. */
  async logs(deploymentId: DeploymentId, nodeIds: readonly NodeId[], limit: number): Promise<LogFactsRow[]> {
    return this.database.query<LogFactsRow>(LOGS, [deploymentId, nodeIds, LOG_RUNTIMES, limit]);
  }
}
