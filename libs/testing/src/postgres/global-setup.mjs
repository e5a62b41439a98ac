import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, openTestPostgres, removeLeftovers, removeTestPostgres } from './test-postgres.mjs';

/** Runs before the first test file: creates the directory for the PostgreSQL and the skip notes of this run. */
export async function setup() {
  await removeLeftovers();
  const directory = openTestPostgres();
  process.env[DIRECTORY_VARIABLE] = directory;
  process.env[SKIPS_VARIABLE] ??= skipsFileIn(directory);
}

/** Runs after the last test file: stops the PostgreSQL of this run and deletes its data. */
export async function teardown() {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (!directory) return;
  // The process that started several runs prints their shared file.
  if (process.env[SKIPS_VARIABLE] === skipsFileIn(directory)) printSkips(skipsFileIn(directory));
  await removeTestPostgres(directory);
}
