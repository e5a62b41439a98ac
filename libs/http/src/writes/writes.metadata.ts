import type { AuditType } from '@libs/domain';

export const IDEMPOTENT = Symbol('landlord.idempotent');
export const AUDITED = Symbol('landlord.audited');
export const PREPARED = Symbol('landlord.prepared');
export const KEEPS_NO_ANSWER = Symbol('landlord.keeps_no_answer');

/** The audit types of a write. */
export interface AuditRule {
  types: AuditType[];
  unlessUnchanged: boolean;
}
