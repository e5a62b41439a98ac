import { appendFileSync } from 'node:fs';

/** A suite that cannot run on this machine. The test run names it once at its end, with the remedy. */
export function skippedSuite(missing: string, remedy: string): typeof describe {
  const skip = (...suite: Parameters<typeof describe.skip>): void => {
    noteSkip(missing, remedy);
    describe.skip(...suite);
  };
  return Object.assign(skip, describe.skip);
}

/** Notes that tests are skipped because something is missing, and what a person can do about it. */
export function noteSkip(missing: string, remedy: string): void {
  const file = process.env['TEST_SKIPS_FILE'];
  const line = `Tests are skipped: ${missing}. ${remedy}.\n`;
  if (file === undefined) process.stderr.write(line);
  else appendFileSync(file, line);
}
