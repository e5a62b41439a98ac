import { AUDIT_TYPES } from '@libs/domain';
import type { AuditEntryRow } from '@libs/persistence/ledger';
import type { AuditEntryView, AuditNameView } from './dto/audit-entry.view.js';

const named = (id: number | null, name: string | null): AuditNameView | null =>
  id === null ? null : { id, name: name ?? '' };

/** Converts an entry to the contract. A type that only a newer release contains is shown by its slug. */
export function toAuditEntryView(row: AuditEntryRow): AuditEntryView {
  const apiKey = named(row.api_key_id, row.api_key_name);
  return {
    id: row.id,
    type: row.type,
    name: AUDIT_TYPES[row.type] ?? row.type,
    author: named(row.author_id, row.author_name),
    ...(apiKey && { api_key: apiKey }),
    user: named(row.user_id, row.user_name),
    division: named(row.division_id, row.division_name),
    environment: named(row.environment_id, row.environment_name),
    deployment: named(row.deployment_id, row.deployment_name),
    data: row.data,
    correlation_id: row.correlation_id,
    timestamp: row.created_at.toISOString(),
  };
}
