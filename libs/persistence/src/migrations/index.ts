export { APP_ROLES } from './grants.js';
export * from './first-sign-in.js';
export * from './migrate.js';
export * from './seed-installation.js';
export * from '../start/index.js';
