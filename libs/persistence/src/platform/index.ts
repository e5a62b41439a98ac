export * from './callers.repository.js';
export * from './idempotency.repository.js';
export * from './installation.repository.js';
export * from './operation-events.repository.js';
export * from './operations.repository.js';
