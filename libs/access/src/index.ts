export * from './access.module.js';
export { AccessRateStore, RateLimit } from './access-rate-store.js';
export * from './database-readiness.js';
export { SupervisorTokens } from './supervisor-tokens.js';
