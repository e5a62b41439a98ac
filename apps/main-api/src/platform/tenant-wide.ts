import type { ActingCaller } from '@libs/http';
import type { LedgerContext } from '@libs/ledger';

/** The context of resources that belong to the whole tenant. */
export const tenantWide = ({ tenantId }: ActingCaller): LedgerContext => ({
  tenantId,
  division: null,
  environment: null,
  deployment: null,
});
