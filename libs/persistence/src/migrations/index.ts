export * from './migrate.js';
export * from './seed-installation.js';
