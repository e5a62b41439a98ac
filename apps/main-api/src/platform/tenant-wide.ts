import type { ActingCaller } from '@libs/http';
import type { LedgerPlace } from '@libs/ledger';

/** The place of resources that belong to the whole tenant. */
export const tenantWide = ({ tenantId }: ActingCaller): LedgerPlace => ({
  tenantId,
  division: null,
  environment: null,
  deployment: null,
});
