import { DIRECTORY_VARIABLE, removeTestPostgres } from './test-postgres.mjs';

/** Jest's globalTeardown: nothing of this run's PostgreSQL stays. */
export default async function globalTeardown() {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (directory) await removeTestPostgres(directory);
}
