export * from './callers.repository.js';
export * from './idempotency.repository.js';
export * from './incidents.repository.js';
export * from './installation.repository.js';
export * from './operation-events.repository.js';
export * from './operation-gauges.repository.js';
export * from './operations.repository.js';
