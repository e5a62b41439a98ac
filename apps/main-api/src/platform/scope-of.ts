import type { DivisionId, TenantId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';

/** Limits what a caller sees of a tenant. A caller with a division scope sees only the resources of that division. */
export interface CallerScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}

export const scopeOf = ({ tenantId, caller }: ActingCaller): CallerScope => ({
  tenantId,
  divisionScope: caller.holding.divisionScope,
});
