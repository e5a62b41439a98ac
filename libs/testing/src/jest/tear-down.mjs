import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, removeTestPostgres } from '../postgres/test-postgres.mjs';

/** Runs after the last test file: stops the PostgreSQL of this run and deletes its data. */
export default async function tearDown() {
  const directory = process.env[DIRECTORY_VARIABLE];
  // The process that started several runs prints their shared file.
  if (process.env[SKIPS_VARIABLE] === skipsFileIn(directory)) printSkips(skipsFileIn(directory));
  await removeTestPostgres(directory);
}
