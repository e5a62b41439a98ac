import type { ActingCaller } from '@libs/http';
import type { AuditFilter } from '@libs/persistence/ledger';
import type { AuditExportQuery } from './dto/audit.query.js';

const DAY_MS = 86_400_000;

/**
 * Limits the filters of the caller to the caller's tenant, the division of the caller's key, and the retention of the
 * plan. Entries past the retention are hidden at once, also before their partition is dropped.
 */
export function toAuditFilter(actor: ActingCaller, query: AuditExportQuery, retentionDays: number): AuditFilter {
  const now = Date.now();
  const oldest = Math.max(0, now - retentionDays * DAY_MS);
  // One day ahead, because the database's clock may be ahead. So partitions of later months are not read.
  const ahead = now + DAY_MS;
  return {
    tenantId: actor.tenantId,
    since: new Date(Math.max(oldest, query.from?.getTime() ?? oldest)),
    until: new Date(Math.min(ahead, query.to?.getTime() ?? ahead)),
    types: query.types,
    author: query.author,
    api_key: query.api_key,
    user: query.user,
    division: query.division,
    environment: query.environment,
    deployment: query.deployment,
    correlationId: query.correlation_id,
    scope: actor.caller.holding.divisionScope ?? undefined,
  };
}
