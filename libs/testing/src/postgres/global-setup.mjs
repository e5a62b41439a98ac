import { DIRECTORY_VARIABLE, openTestPostgres, removeLeftovers } from './test-postgres.mjs';

/** Jest's globalSetup: a place for this run's PostgreSQL. */
export default async function globalSetup() {
  await removeLeftovers();
  process.env[DIRECTORY_VARIABLE] = openTestPostgres();
}
