import { appendFileSync } from 'node:fs';

/** What `describe` is for most suites. */
export type Suite = (name: string, tests: () => void) => void;

/** A suite that cannot run on this machine. The test run names it once at its end, with the remedy. */
export function skippedSuite(missing: string, remedy: string): Suite {
  return (name, tests) => {
    noteSkip(missing, remedy);
    describe.skip(name, tests);
  };
}

/** Notes that tests are skipped because something is missing, and what a person can do about it. */
export function noteSkip(missing: string, remedy: string): void {
  const file = process.env['TEST_SKIPS_FILE'];
  const line = `Tests are skipped: ${missing}. ${remedy}.\n`;
  if (file === undefined) process.stderr.write(line);
  else appendFileSync(file, line);
}
