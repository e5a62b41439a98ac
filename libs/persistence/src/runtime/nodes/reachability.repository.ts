import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** A node whose reachability has just changed. */
export interface ReachabilityChange {
  nodeId: NodeId;
  name: string;
  deploymentId: DeploymentId;
  /** When the node became unreachable, in milliseconds since the epoch. Identifies the outage. */
  since: number;
  isReachable: boolean;
}

/** PostgreSQL computes the time as `numeric`, which arrives as text. */
type ChangedRow = Omit<ReachabilityChange, 'since'> & { since: string };

/** A serving deployment whose status no longer matches the state of its nodes. */
export interface MismatchedDeployment {
  deploymentId: DeploymentId;
  /** Number of nodes that do not serve. */
  bad: number;
  nodes: number;
}

const SERVING = `r.cell = $1 and r.deleted_at is null and r.status in ('initialized', 'degraded')`;
const IS_STALE = `n.unreachable_since is null and n.status not in ('pending', 'deleting')
  and n.last_seen_at < now() - make_interval(secs => $2)`;

const COUNT = statement(
  'reachability.count',
  `select count(*)::int as nodes, count(*) filter (where ${IS_STALE})::int as stale
     from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id where ${SERVING}`,
);
// Compare-and-set: two Supervisors can check at once, and a report can arrive in between. The condition on the row decides.
const MARK_UNREACHABLE = statement(
  'reachability.judge',
  `update nodes n
      set unreachable_since = date_trunc('milliseconds', now()), status = 'unreachable',
          status_reason = 'no heartbeat since ' || to_char(n.last_seen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
     from deployment_runtimes r
    where r.deployment_id = n.deployment_id and ${SERVING} and ${IS_STALE}
   returning n.id as "nodeId", n.name, n.deployment_id as "deploymentId", false as "isReachable",
             extract(epoch from n.unreachable_since) * 1000 as since`,
);
const MARK_REACHABLE = statement(
  'reachability.absolve',
  `update nodes n set unreachable_since = null
     from nodes before, deployment_runtimes r
    where before.id = n.id and r.deployment_id = n.deployment_id and r.cell = $1
      and n.unreachable_since is not null and n.last_seen_at > n.unreachable_since
   returning n.id as "nodeId", n.name, n.deployment_id as "deploymentId", true as "isReachable",
             extract(epoch from before.unreachable_since) * 1000 as since`,
);
const IS_DOWN = `n.status in ('starting', 'stopped', 'failed')`;
const NOTE_DOWN = statement(
  'reachability.note_down',
  `update nodes n set down_since = case when ${IS_DOWN} then now() end
     from deployment_runtimes r
    where r.deployment_id = n.deployment_id and ${SERVING} and ${IS_DOWN} <> (n.down_since is not null)`,
);
// An operation restarts nodes on purpose. A node that does not run after the operation has ended counts.
const IS_BAD = `(n.unreachable_since is not null or n.status = 'failed' or (n.down_since is not null and n.down_since < now() - interval '10 seconds'
  and not exists (select 1 from operations o
                   where o.deployment_id = n.deployment_id and o.changing and o.status in ('pending', 'running'))))`;
const FIND_MISMATCHED = statement(
  'reachability.misjudged',
  `select n.deployment_id as "deploymentId", count(*)::int as nodes, (count(*) filter (where ${IS_BAD}))::int as bad
     from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id
    where ${SERVING}
    group by n.deployment_id, r.status
   having (r.status = 'initialized') = bool_or(${IS_BAD})
    limit 200`,
);

const TIME = statement('reachability.time', 'select now() as now');
// A report that came after the look is of a new life of the agent. Without a serving broker the deployment is degraded at once.
const AGENTS_ENDED = statement(
  'reachability.agents_ended',
  `update nodes n
      set status = 'starting', status_reason = $5,
          down_since = case when n.id = any($3::bigint[]) then now() - interval '10 seconds' else now() end
     from deployment_runtimes r
    where r.deployment_id = n.deployment_id and ${SERVING} and n.id = any($2::bigint[])
      and n.status in ('running', 'failed') and n.last_seen_at < $4
   returning n.id`,
);

const LAG = statement(
  'reachability.lag',
  `select n.status, count(*)::int as nodes, coalesce(max(extract(epoch from now() - n.last_seen_at)), 0)::float8 as lag_seconds,
          (count(*) filter (where d.generation <> n.observed_generation or d.timeline <> n.observed_timeline))::int as behind
     from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id
     left join node_documents d on d.node_id = n.id
    where r.cell = $1 and r.deleted_at is null group by n.status`,
);

/** Why the agent of a node does not report. */
export const AGENT_ENDED = 'the agent has ended, and is started again';
export const AGENT_LEFT = 'the agent has closed its connection';

/** Nodes whose agents have ended. */
export interface EndedNodes {
  nodes: readonly NodeId[];
  /** Those of them whose brokers have ended, too. */
  down: readonly NodeId[];
  reason: typeof AGENT_ENDED | typeof AGENT_LEFT;
}

/** Reachability of nodes. Uses only the clock of the database. */
@Injectable()
export class ReachabilityRepository {
  constructor(private readonly database: Database) {}

  /** Nodes of serving deployments of the cell, and the number that have just passed `seconds` without a report. */
  async count(cell: string, seconds: number): Promise<{ nodes: number; stale: number }> {
    const [row] = await this.database.query<{ nodes: number; stale: number }>(COUNT, [cell, seconds]);
    return row ?? { nodes: 0, stale: 0 };
  }

  /** Marks nodes without a report for `seconds` as unreachable. Returns the changes. */
  async markUnreachable(cell: string, seconds: number): Promise<ReachabilityChange[]> {
    return this.changes(MARK_UNREACHABLE, [cell, seconds]);
  }

  /** Removes the mark of nodes that report again. Returns the changes. */
  async markReachable(cell: string): Promise<ReachabilityChange[]> {
    return this.changes(MARK_REACHABLE, [cell]);
  }

  /** The time of the database. */
  async time(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>(TIME);
    return row?.now ?? new Date(0);
  }

  /**
   * The agents of these nodes had ended at `lookedAt`, a time of the database: the nodes are `starting` until their next report.
   * Returns the nodes that have changed.
   */
  async agentsEnded(cell: string, { nodes, down, reason }: EndedNodes, lookedAt: Date): Promise<NodeId[]> {
    const rows = await this.database.query<{ id: NodeId }>(AGENTS_ENDED, [cell, nodes, down, lookedAt, reason]);
    return rows.map(({ id }) => id);
  }

  /** Notes since when each node of a serving deployment does not run. */
  async noteDown(cell: string): Promise<void> {
    await this.database.execute(NOTE_DOWN, [cell]);
  }

  /** Deployments that are `initialized` although a node does not serve, or `degraded` although all nodes serve. */
  async findMismatched(cell: string): Promise<MismatchedDeployment[]> {
    return this.database.query<MismatchedDeployment>(FIND_MISMATCHED, [cell]);
  }

  /** Per status: number of nodes, time since the oldest last report, and number of nodes behind their document. */
  async lag(cell: string): Promise<{ status: string; nodes: number; lag_seconds: number; behind: number }[]> {
    return this.database.query(LAG, [cell]);
  }

  private async changes(prepared: typeof MARK_UNREACHABLE, values: unknown[]): Promise<ReachabilityChange[]> {
    const rows = await this.database.query<ChangedRow>(prepared, values);
    return rows.map((row) => ({ ...row, since: Number(row.since) }));
  }
}
