import type { ActingCaller } from '@libs/http';
import type { LedgerPlace } from '@libs/ledger';

/** The place of what belongs to the tenant as a whole. */
export const tenantWide = ({ tenantId }: ActingCaller): LedgerPlace => ({
  tenantId,
  division: null,
  environment: null,
  deployment: null,
});
