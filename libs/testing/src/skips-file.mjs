import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The environment variable with the path of the file for skip notes. Several test runs can share one file. */
export const SKIPS_VARIABLE = 'TEST_SKIPS_FILE';

export const skipsFileIn = (directory) => join(directory, 'skips.txt');

/** Prints each skip once. */
export function printSkips(file) {
  if (!existsSync(file)) return;
  const lines = new Set(readFileSync(file, 'utf8').trim().split('\n'));
  for (const line of lines) console.log(line);
}
