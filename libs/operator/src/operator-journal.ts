import { randomBytes } from 'node:crypto';
import type { AuditType, DeploymentId, TenantId } from '@libs/domain';
import type { Author, Ledger, LedgerContext } from '@libs/ledger';
import { statement, type Database } from '@libs/persistence';
import { OperatorAction } from '@libs/persistence/operator';
import type { Deployment, Division, Environment } from '@libs/persistence/organization';

/** Ids of users start at 1, so 0 belongs to no user. `author=0` finds actions of operators. */
export const OPERATOR_AUTHOR: Author = { user: { id: 0, name: 'operator' }, apiKey: null };

/** An action of an operator, and its entry in the tenant's audit. */
export interface OperatorAct {
  verb: string;
  subject: string;
  detail?: object;
  /** Only for actions that concern one tenant. */
  audit?: {
    type: AuditType;
    context: LedgerContext;
    data: object;
    /** Links the entry to its operation. 32 hex characters. */
    traceId?: string;
  };
}

/** Records actions of operators in the transaction of the action, so that neither exists without the other. */
export class OperatorJournal {
  /** `operator`: `user@host` of the operating system. */
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly operator: string,
  ) {}

  async record({ verb, subject, detail = {}, audit }: OperatorAct): Promise<void> {
    const tenant_id = audit?.context.tenantId ?? null;
    const action = { operator: this.operator, verb, subject, tenant_id, detail };
    await this.database.repository(OperatorAction).insert(action);
    if (!audit) return;
    const { type, context, data, traceId = randomBytes(16).toString('hex') } = audit;
    await this.ledger.record({ audit: type, author: OPERATOR_AUTHOR, context, data, traceId });
  }
}

/** The whole tenant. */
export const tenantContext = (tenantId: TenantId): LedgerContext => ({
  tenantId,
  division: null,
  environment: null,
  deployment: null,
});

/** The ids and names of a deployment and of the levels above it. */
interface ContextRow extends Pick<Deployment, 'tenant_id' | 'division_id' | 'environment_id'> {
  division_name: Division['name'];
  environment_name: Environment['name'];
  deployment_id: Deployment['id'];
  deployment_name: Deployment['name'];
}

const CONTEXT = statement(
  'operator.deployment_place',
  `select d.tenant_id, d.division_id, v.name as division_name, d.environment_id, e.name as environment_name,
          d.id as deployment_id, d.name as deployment_name
     from deployments d join divisions v on v.id = d.division_id join environments e on e.id = d.environment_id
    where d.id = $1`,
);

/** The context of a deployment in an audit entry. Null without the deployment. */
export async function contextOfDeployment(database: Database, id: DeploymentId): Promise<LedgerContext | null> {
  const [row] = await database.query<ContextRow>(CONTEXT, [id]);
  if (!row) return null;
  return {
    tenantId: row.tenant_id,
    division: { id: row.division_id, name: row.division_name },
    environment: { id: row.environment_id, name: row.environment_name },
    deployment: { id: row.deployment_id, name: row.deployment_name },
  };
}
