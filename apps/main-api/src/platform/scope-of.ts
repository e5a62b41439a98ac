import type { ActingCaller } from '@libs/http';

/** Of what belongs to divisions or to the tenant as a whole, what a caller sees: who is scoped to a division, that of it. */
export interface CallerScope {
  tenantId: number;
  divisionScope: number | null;
}

export const scopeOf = ({ tenantId, caller }: ActingCaller): CallerScope => ({
  tenantId,
  divisionScope: caller.holding.divisionScope,
});
