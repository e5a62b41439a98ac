import { randomBytes } from 'node:crypto';
import type { AuditType, TenantId } from '@libs/domain';
import type { Author, Ledger, LedgerContext } from '@libs/ledger';
import type { Database } from '@libs/persistence';
import { OperatorActionsRepository, type ContextNames } from '@libs/persistence/operator';

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
  private readonly actions: OperatorActionsRepository;

  constructor(
    database: Database,
    private readonly ledger: Ledger,
    private readonly operator: string,
  ) {
    this.actions = new OperatorActionsRepository(database);
  }

  async record({ verb, subject, detail = {}, audit }: OperatorAct): Promise<void> {
    const tenantId = audit?.context.tenantId ?? null;
    await this.actions.insert({ operator: this.operator, verb, subject, tenantId, detail });
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

/** The place of a deployment in an audit entry. */
export const contextOf = (names: ContextNames): LedgerContext => ({
  tenantId: names.tenant_id,
  division: { id: names.division_id, name: names.division_name },
  environment: { id: names.environment_id, name: names.environment_name },
  deployment: { id: names.deployment_id, name: names.deployment_name },
});
