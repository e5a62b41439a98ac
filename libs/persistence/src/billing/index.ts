export * from './billing-infos.repository.js';
export * from './charge-line.js';
export { HOURS_A_MONTH } from './charges.js';
export * from './invoice-payments.repository.js';
export * from './invoices.repository.js';
export * from './billing-months.repository.js';
export * from './reports.repository.js';
export * from './spend.repository.js';
export * from './usage.repository.js';
