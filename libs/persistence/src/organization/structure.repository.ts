import { Injectable } from '@nestjs/common';
import type { Reach, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { reachValues } from '../page-of.js';

/** The places where the caller may read each level. */
export interface StructureReach {
  divisions: Reach;
  environments: Reach;
  deployments: Reach;
}

/** One row of the tree: a division with at most one of its environments and one deployment. */
export interface StructureRow {
  division_id: DivisionId;
  division_name: string;
  environment_id: EnvironmentId | null;
  environment_name: string | null;
  /** Null for an environment without deployments, as all following members. */
  deployment_id: DeploymentId | null;
  name: string | null;
  code: string | null;
  cloud: string | null;
  variant: string | null;
  region: string | null;
  tier: string | null;
  supervisor_url: string | null;
  /** False: the caller may only count the deployment. */
  is_readable: boolean | null;
}

/** Totals of the resources that the caller may read. */
export interface DeploymentTotals {
  total_divisions: number;
  total_environments: number;
  total_deployments: number;
  by_cloud: Record<string, number>;
  by_region: Record<string, number>;
  by_tier: Record<string, number>;
  by_variant: Record<string, number>;
}

// $2-$4, $5-$7, $8-$10: where the caller may read divisions, environments, deployments. A caller that may read a resource may
// also see the names of its parents.
const READABLE_DEPLOYMENT = `($8 or p.division_id = any($9::bigint[]) or p.environment_id = any($10::bigint[]))`;
const VISIBLE_ENVIRONMENT = `($5 or $8 or e.division_id = any($6::bigint[] || $9::bigint[]) or e.id = any($7::bigint[] || $10::bigint[]))`;
const VISIBLE_DIVISION = `($2 or $5 or $8 or d.id = any($3::bigint[] || $6::bigint[] || $9::bigint[]) or exists (
  select 1 from environments e where e.division_id = d.id and e.deleted_at is null and e.id = any($4::bigint[] || $7::bigint[] || $10::bigint[])))`;
// `offset 0` forces a lookup of each runtime by its key. Otherwise, for a tenant with a thousand deployments, the planner reads
// the runtimes of all tenants, and the cost grows with other tenants' data.
const LIVING = `deployments p join lateral (
  select 1 from deployment_runtimes o where o.deployment_id = p.id and o.deleted_at is null offset 0) r on true`;

const TREE = statement(
  'structure.tree',
  `select d.id as division_id, d.name as division_name, e.id as environment_id, e.name as environment_name,
          p.id as deployment_id, p.name, p.code, p.cloud, p.variant, p.region, p.tier, c.url as supervisor_url,
          ${READABLE_DEPLOYMENT} as is_readable
     from divisions d
     left join environments e on e.division_id = d.id and e.deleted_at is null and ${VISIBLE_ENVIRONMENT}
     left join (${LIVING}) on p.environment_id = e.id
     left join cells c on c.cell = p.cell
    where d.tenant_id = $1 and d.deleted_at is null and ${VISIBLE_DIVISION}
    order by d.id, e.id, p.id`,
);
const by = (column: string): string =>
  `(select coalesce(jsonb_object_agg(name, count), '{}') from (select ${column} as name, count(*) from readable group by 1) g)`;
const TOTALS = statement(
  'structure.totals',
  `with readable as (
     select p.cloud, p.region, p.tier, p.variant from ${LIVING} where p.tenant_id = $1 and ${READABLE_DEPLOYMENT}
   )
   select (select count(*)::int from divisions d where d.tenant_id = $1 and d.deleted_at is null and ${VISIBLE_DIVISION}) as total_divisions,
          (select count(*)::int from environments e where e.tenant_id = $1 and e.deleted_at is null and ${VISIBLE_ENVIRONMENT}) as total_environments,
          (select count(*)::int from readable) as total_deployments,
          ${by('cloud')} as by_cloud, ${by('region')} as by_region, ${by('tier')} as by_tier, ${by('variant')} as by_variant`,
);

/** The tree of a tenant and its totals, limited to the resources that the caller may see. */
@Injectable()
export class StructureRepository {
  constructor(private readonly database: Database) {}

  /** Ordered by id, one statement for all levels. The limits of the plan bound its size. */
  async tree(tenantId: TenantId, reach: StructureReach): Promise<StructureRow[]> {
    return this.database.query<StructureRow>(TREE, valuesOf(tenantId, reach));
  }

  async totals(tenantId: TenantId, reach: StructureReach): Promise<DeploymentTotals> {
    const [row] = await this.database.query<DeploymentTotals>(TOTALS, valuesOf(tenantId, reach));
    return row as DeploymentTotals;
  }
}

const valuesOf = (tenantId: TenantId, { divisions, environments, deployments }: StructureReach): unknown[] => [
  tenantId,
  ...reachValues(divisions),
  ...reachValues(environments),
  ...reachValues(deployments),
];
