export * from './database.js';
export * from './data-source.js';
export * from './notifications.js';
export * from './ownership.js';
export * from './persistence.module.js';
export * from './schema-check.js';
export * from './sealed-columns.js';
export * from './secrets.js';
