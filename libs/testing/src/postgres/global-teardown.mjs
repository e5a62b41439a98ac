import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../skips-file.mjs';
import { DIRECTORY_VARIABLE, removeTestPostgres } from './test-postgres.mjs';

/** Jest's globalTeardown: nothing of this run's PostgreSQL stays. */
export default async function globalTeardown() {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (!directory) return;
  // A file that several runs share is printed by who started them.
  if (process.env[SKIPS_VARIABLE] === skipsFileIn(directory)) printSkips(skipsFileIn(directory));
  await removeTestPostgres(directory);
}
