import { Injectable } from '@nestjs/common';
import type { Reach, DivisionId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { nodeLoad } from './nodes/node-load.js';

/** Selects the deployments of one cell, in the tenant or one of its divisions, within the reach of the caller. */
export interface SummaryScope {
  cell: string;
  tenantId: TenantId;
  /** Null: all divisions. */
  divisionId: DivisionId | null;
  reach: Reach;
}

/** The health of those deployments. Percentages are averages over reachable nodes; null when no node reports one. */
export interface HealthTotals {
  total: number;
  by_status: Record<string, number>;
  nodes: number;
  reachable: number;
  unreachable: number;
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
  generated_at: Date;
}

const LOAD = nodeLoad('$8::jsonb', 's.tier');

// A node without any report is neither reachable nor unreachable: it is being created. `offset 0` forces lookups of runtimes
// and nodes by deployment. The planner would otherwise read those of all tenants.
const HEALTH = statement(
  'summary.health',
  `with seen as materialized (
     select d.id, d.tier, r.status
       from deployments d
       join lateral (
         select o.cell, o.status from deployment_runtimes o where o.deployment_id = d.id and o.deleted_at is null offset 0
       ) r on r.cell = $1
      where d.tenant_id = $2 and ($3::bigint is null or d.division_id = $3)
        and ($4 or d.division_id = any($5::bigint[]) or d.environment_id = any($6::bigint[]))
   ), node as (
     select n.last_seen_at is not null as is_known,
            coalesce(n.unreachable_since is null and n.last_seen_at > now() - make_interval(secs => $7), false) as is_reachable,
            ${LOAD.cpu} as cpu, ${LOAD.memory} as memory, ${LOAD.disk} as disk
       from seen s cross join lateral (select o.* from nodes o where o.deployment_id = s.id offset 0) n
   ), load as (
     select count(*)::int as nodes,
            count(*) filter (where is_reachable)::int as reachable,
            count(*) filter (where is_known and not is_reachable)::int as unreachable,
            avg(cpu) filter (where is_reachable) as cpu_percent,
            avg(memory) filter (where is_reachable) as memory_percent,
            avg(disk) filter (where is_reachable) as disk_percent
       from node
   )
   select (select count(*)::int from seen) as total,
          (select coalesce(jsonb_object_agg(status, count), '{}') from (select status, count(*) from seen group by 1) g) as by_status,
          load.*, now() as generated_at
     from load`,
);

/** Health totals of a cell's deployments. */
@Injectable()
export class SummariesRepository {
  constructor(private readonly database: Database) {}

  /** `memoryBytes` of a node per compute size. A node is reachable if it reported within `reachableSeconds`. */
  async health(
    { cell, tenantId, divisionId, reach }: SummaryScope,
    reachableSeconds: number,
    memoryBytes: Readonly<Record<string, number>>,
  ): Promise<HealthTotals> {
    const values = [cell, tenantId, divisionId, reach.all, reach.divisions, reach.environments];
    const [row] = await this.database.query<HealthTotals>(HEALTH, [
      ...values,
      reachableSeconds,
      JSON.stringify(memoryBytes),
    ]);
    return row as HealthTotals;
  }
}
