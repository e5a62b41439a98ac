import type { LedgerContext } from '@libs/ledger';
import type { DeploymentFacts } from '@libs/persistence/runtime';

/** The place of what happens to a deployment, for audit entries and events. */
export const contextOf = (facts: DeploymentFacts): LedgerContext => ({
  tenantId: facts.tenant_id,
  division: { id: facts.division_id, name: facts.division_name },
  environment: { id: facts.environment_id, name: facts.environment_name },
  deployment: { id: facts.id, name: facts.name },
});
