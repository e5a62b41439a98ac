export { checkDatabaseOfApp, checkDatabaseOfOwner, checkStoredSecrets } from './check-database.js';
export { keyIdsInUse, type KeySource } from './check-keys.js';
export { LEAST_POSTGRES, MOST_POSTGRES } from './check-server.js';
export { databaseRefusal, migrationRefusal, withDatabase } from './connect-at-start.js';
