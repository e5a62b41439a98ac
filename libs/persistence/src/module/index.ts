export * from './persistence.module.js';
export * from './repositories.js';
