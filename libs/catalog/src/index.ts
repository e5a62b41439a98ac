export * from './catalog.js';
export * from './catalog.schema.js';
export * from './entitlements.js';
export * from './load-catalog.js';
export * from './pricing.js';
export * from './require-entitled.js';
