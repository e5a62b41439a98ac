export {
  ensureDatabase,
  stopDatabase,
  type DatabaseHandle,
  type EnsureDatabaseOptions,
  type StopDatabaseOptions,
} from './embedded-postgres/ensure-database.js';
export { LauncherError } from './launcher-error.js';
