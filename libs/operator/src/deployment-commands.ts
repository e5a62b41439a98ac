import type { DeploymentId, TenantId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { IS_ALIVE } from '@libs/persistence/operator';
import type { IncidentRow } from './incident-commands.js';
import { NodeCommands, type OperatorNode } from './node-commands.js';
import { OperationCommands, type OperatorOperation } from './operation-commands.js';
import { existing } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Where a deployment is, and what its Supervisor last wrote about it. */
export interface ExplainedDeployment {
  id: DeploymentId;
  name: string;
  tenant_id: TenantId;
  tenant: string;
  division: string;
  environment: string;
  cloud: string;
  region: string;
  tier: string;
  status: string;
  status_reason: string | null;
  status_since: Date;
  cell: string;
  /** Null: no Supervisor with this name has registered. */
  cell_seen_at: Date | null;
  cell_is_alive: boolean;
}

/** A line of the log of a node that says that something is wrong. */
export interface ProblemLine {
  at: Date;
  node: string | null;
  runtime: string;
  level: string;
  message: string;
}

/** All that an operator needs to see why a deployment is as it is. */
export interface Explanation {
  deployment: ExplainedDeployment;
  /** Newest first. */
  operations: OperatorOperation[];
  nodes: OperatorNode[];
  /** Open ones. */
  incidents: IncidentRow[];
  /** Warnings and errors of the last day, newest first. */
  problems: ProblemLine[];
}

const FEW = 5;

const FIND = statement(
  'operator.deployment',
  `select d.id, d.name, d.tenant_id, t.name as tenant, v.name as division, e.name as environment, d.cloud, d.region, d.tier,
          case when r.deleted_at is not null then 'deleted' else coalesce(r.status, 'creating') end as status, r.status_reason, coalesce(r.status_since, d.created_at) as status_since,
          d.cell, c.seen_at as cell_seen_at,
          coalesce(${IS_ALIVE}, false) as cell_is_alive
     from deployments d
     join tenants t on t.id = d.tenant_id join divisions v on v.id = d.division_id join environments e on e.id = d.environment_id
     left join deployment_runtimes r on r.deployment_id = d.id left join cells c on c.cell = d.cell
    where d.id = $1`,
);
const INCIDENTS = statement(
  'operator.deployment.incidents',
  `select i.id, i.kind, i.subject, i.operation_id, i.detail, i.decision, i.opened_at, i.closed_at from incidents i
    where i.closed_at is null
      and (i.operation_id in (select o.id from operations o where o.deployment_id = $1) or i.subject like '% deployment ' || $1::text)
    order by i.id desc limit 20`,
);
const PROBLEMS = statement(
  'operator.deployment.problems',
  `select l.at, n.name as node, l.runtime, l.level, l.message from node_logs l left join nodes n on n.id = l.node_id
    where l.deployment_id = $1 and l.level <> 'info' and l.at > now() - interval '1 day'
    order by l.at desc, l.id desc limit $2`,
);

/** Deployments of all tenants. */
export class DeploymentCommands {
  constructor(private readonly session: OperatorSession) {}

  /** @throws OperatorRefused */
  async explain(id: DeploymentId): Promise<Explanation> {
    const { database } = this.session;
    const [row] = await database.query<ExplainedDeployment>(FIND, [id]);
    const deployment = existing(row, 'deployment', id, 'landlord ops nodes list');
    const filter = { tenantId: null, deploymentId: id, status: null, type: null, limit: FEW };
    return {
      deployment,
      operations: await new OperationCommands(this.session).list(filter),
      nodes: await new NodeCommands(this.session).list({ deploymentId: id, cell: null, status: null }),
      incidents: await database.query<IncidentRow>(INCIDENTS, [id]),
      problems: await database.query<ProblemLine>(PROBLEMS, [id, FEW]),
    };
  }
}
