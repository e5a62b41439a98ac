import { Injectable } from '@nestjs/common';
import type { UsageKind, UsageState, DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { nodeLoad } from './nodes/node-load.js';

/** A sample that matters: usage above the threshold, or of a kind with a stored state. */
export interface UsageSample extends UsageState {
  nodeId: NodeId;
  deploymentId: DeploymentId;
  name: string;
  kind: UsageKind;
  percent: number;
  /** When the node reported the sample, with microseconds. */
  seenAt: string;
  /** The last sample that was checked. Null: no state is stored. */
  sampledAt: string | null;
}

/** The result of checking a sample. */
export interface UsageVerdict extends UsageState {
  nodeId: NodeId;
  kind: UsageKind;
  seenAt: string;
  sampledAt: string | null;
}

/**
 * A verdict that was stored. `since` identifies the period of high usage, in milliseconds since the epoch, also after it has
 * ended.
 */
export interface WrittenVerdict {
  nodeId: NodeId;
  kind: UsageKind;
  since: number | null;
}

/** Resources of nodes, per compute size. */
export interface SizesOfNodes {
  memoryBytes: Readonly<Record<string, number>>;
  vcpus: Readonly<Record<string, number>>;
}

const SAMPLES = 500;
const LOAD = nodeLoad('$4::jsonb', 'd.tier');

const ONE_JUDGE = statement(
  'usage_alert.one_judge',
  `select pg_try_advisory_xact_lock(hashtext('landlord.usage_alerts'), hashtext($1)) as is_granted`,
);
// `materialized` and `offset 0`: the order of the result would otherwise lead PostgreSQL through the nodes of all cells.
const FIND = statement(
  'usage_alert.samples',
  `with held as materialized (
     select r.deployment_id, p.tier from deployment_runtimes r join deployments p on p.id = r.deployment_id
      where r.cell = $1 and r.deleted_at is null
   )
   select n.id as "nodeId", n.deployment_id as "deploymentId", n.name, u.kind, u.percent, n.last_seen_at::text as "seenAt",
          a.sampled_at::text as "sampledAt", coalesce(a.above, 0) as above, a.since is not null as "isHigh"
     from held d
    cross join lateral (select o.* from nodes o where o.deployment_id = d.deployment_id offset 0) n
    cross join lateral (values ('cpu', ${LOAD.cpu} / ($5::jsonb ->> d.tier)::float8), ('memory', ${LOAD.memory}),
                               ('disk', ${LOAD.disk})) u (kind, percent)
     left join node_alerts a on a.node_id = n.id and a.kind = u.kind
    where n.last_seen_at is not null and n.status <> 'deleting' and u.percent is not null
      and case when a.node_id is null then u.percent > $2
               else n.last_seen_at > a.sampled_at + make_interval(secs => $3) end
    order by n.id, u.kind limit ${SAMPLES}`,
);
// Compare-and-set on the last checked sample. If two processes check one sample, only one finds the row unchanged.
const WRITE = statement(
  'usage_alert.write',
  `with verdict as materialized (
     select * from unnest($1::bigint[], $2::text[], $3::int[], $4::boolean[], $5::timestamptz[], $6::timestamptz[])
       as v(node_id, kind, above, is_high, seen_at, sampled_at)
   ), begun as (
     insert into node_alerts (node_id, kind, above, since, sampled_at)
     select node_id, kind, above, case when is_high then date_trunc('milliseconds', now()) end, seen_at
       from verdict where sampled_at is null and above > 0
     on conflict (node_id, kind) do nothing
     returning node_id, kind, since
   ), moved as (
     update node_alerts a
        set above = v.above, sampled_at = v.seen_at,
            since = case when v.is_high then coalesce(a.since, date_trunc('milliseconds', now())) end
       from verdict v
      where a.node_id = v.node_id and a.kind = v.kind and a.sampled_at = v.sampled_at and v.above > 0
     returning a.node_id, a.kind, a.since
   ), ended as (
     delete from node_alerts a using verdict v
      where a.node_id = v.node_id and a.kind = v.kind and a.sampled_at = v.sampled_at and v.above = 0
     returning a.node_id, a.kind, a.since
   )
   select node_id as "nodeId", kind, (extract(epoch from since) * 1000)::bigint as since
     from (select * from begun union all select * from moved union all select * from ended) written`,
);

/** Periods of high usage: one row per node and kind with a stored state. */
@Injectable()
export class UsageAlertsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes a lock, so that only this transaction checks the nodes of the cell until it ends. Returns false when another has it.
   */
  async isJudge(cell: string): Promise<boolean> {
    const [row] = await this.database.query<{ is_granted: boolean }>(ONE_JUDGE, [cell]);
    return row?.is_granted ?? false;
  }

  /** Unchecked samples of the cell. Each is at least `gapSeconds` newer than the previous one. */
  async samples(cell: string, above: number, gapSeconds: number, sizes: SizesOfNodes): Promise<UsageSample[]> {
    const ofSizes = [JSON.stringify(sizes.memoryBytes), JSON.stringify(sizes.vcpus)];
    return this.database.query<UsageSample>(FIND, [cell, above, gapSeconds, ...ofSizes]);
  }

  /** Returns the stored verdicts. Another process has already stored the rest. */
  async write(verdicts: readonly UsageVerdict[]): Promise<WrittenVerdict[]> {
    return this.database.query<WrittenVerdict>(WRITE, [
      verdicts.map(({ nodeId }) => nodeId),
      verdicts.map(({ kind }) => kind),
      verdicts.map(({ above }) => above),
      verdicts.map(({ isHigh }) => isHigh),
      verdicts.map(({ seenAt }) => seenAt),
      verdicts.map(({ sampledAt }) => sampledAt),
    ]);
  }
}
