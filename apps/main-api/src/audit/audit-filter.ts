import type { ActingCaller } from '@libs/http';
import type { AuditFilter } from '@libs/persistence/ledger';
import type { AuditExportQuery } from './dto/audit.query.js';

const DAY_MS = 86_400_000;

/**
 * What the caller asked for, within what there is for them: their tenant, their key's division, and the days that the plan
 * keeps. What is past its retention is hidden at once, whenever its partition may be dropped.
 */
export function toAuditFilter(actor: ActingCaller, query: AuditExportQuery, retentionDays: number): AuditFilter {
  const now = Date.now();
  const kept = Math.max(0, now - retentionDays * DAY_MS);
  // A day ahead, because the database's clock may be: partitions of later months need not be looked at.
  const ahead = now + DAY_MS;
  return {
    tenantId: actor.tenantId,
    since: new Date(Math.max(kept, query.from?.getTime() ?? kept)),
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
