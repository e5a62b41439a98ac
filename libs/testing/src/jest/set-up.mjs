import { SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, openTestPostgres, removeLeftovers } from '../postgres/test-postgres.mjs';

/** Runs before the first test file: creates the directory for the PostgreSQL and the skip notes of this run. */
export default async function setUp() {
  await removeLeftovers();
  const directory = openTestPostgres();
  process.env[DIRECTORY_VARIABLE] = directory;
  process.env[SKIPS_VARIABLE] ??= skipsFileIn(directory);
}
