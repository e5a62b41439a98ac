export * from './access-caller-store.js';
export * from './access-idempotency-store.js';
export * from './access-write-transaction.js';
export * from './database-readiness.js';
