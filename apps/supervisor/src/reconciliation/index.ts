export * from './reconciliation.module.js';
