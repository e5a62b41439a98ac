export * from './ledger.repository.js';
