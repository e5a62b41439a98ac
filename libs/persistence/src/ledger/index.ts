export * from './audit-entries.repository.js';
export type { AuditCursor, AuditFilter } from './audit-search.js';
export * from './audit-seals.repository.js';
export * from './ledger.repository.js';
export { SEAL_HASH } from './audit-hashes.js';
