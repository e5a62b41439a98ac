export * from './object-store.js';
export * from './object-store-error.js';
export * from './open-object-store.js';
