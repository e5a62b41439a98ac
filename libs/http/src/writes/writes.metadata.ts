import type { AuditType } from '@libs/domain';

export const IDEMPOTENT = Symbol('landlord.idempotent');
export const AUDITED = Symbol('landlord.audited');
export const PREPARED = Symbol('landlord.prepared');

/** The audit types of a write. */
export interface AuditRule {
  types: AuditType[];
  unlessUnchanged: boolean;
}
