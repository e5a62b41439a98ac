export * from './operation-row.js';
export { LEASE_SECONDS, OperationStore } from './operation-store.js';
export * from './operations.js';
export * from './runner.js';
export * from './step-result.js';
export * from './sweeper.js';
export * from './table.js';
export * from './workflow.js';
export * from './workflow-log.js';
