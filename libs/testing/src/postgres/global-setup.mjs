import { SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, openTestPostgres, removeLeftovers } from './test-postgres.mjs';

/** Jest's globalSetup: a place for the PostgreSQL and the notes of this run. */
export default async function globalSetup() {
  await removeLeftovers();
  const directory = openTestPostgres();
  process.env[DIRECTORY_VARIABLE] = directory;
  process.env[SKIPS_VARIABLE] ??= skipsFileIn(directory);
}
