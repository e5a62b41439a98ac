import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, openTestPostgres, removeLeftovers, removeTestPostgres } from './test-postgres.mjs';

/** Before the first test file of a run: a place for the PostgreSQL and the notes of this run. */
export async function setup() {
  await removeLeftovers();
  const directory = openTestPostgres();
  process.env[DIRECTORY_VARIABLE] = directory;
  process.env[SKIPS_VARIABLE] ??= skipsFileIn(directory);
}

/** After the last one: nothing of the PostgreSQL of this run stays. */
export async function teardown() {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (!directory) return;
  // A file that several runs share is printed by who started them.
  if (process.env[SKIPS_VARIABLE] === skipsFileIn(directory)) printSkips(skipsFileIn(directory));
  await removeTestPostgres(directory);
}
