import { appendFileSync } from 'node:fs';

/** The type of `describe` in most suites. */
export type Suite = (name: string, tests: () => void) => void;

/** The type of `it` in most suites. */
export type Test = (title: string, test: () => Promise<void>) => void;

/**
 * A suite that cannot run on this machine. The test run names it once at its end, with the remedy. The body is not run: it could
 * read what is missing.
 */
export function skippedSuite(missing: string, remedy: string): Suite {
  return (name) => {
    noteSkip(missing, remedy);
    describe.skip(name, () => it.skip(`is skipped: ${missing}`, () => undefined));
  };
}

/** A test that cannot run on this machine. */
export function skippedTest(missing: string, remedy: string): Test {
  return (title, test) => {
    noteSkip(missing, remedy);
    it.skip(title, test);
  };
}

/** Records that tests are skipped because something is missing, and how a person can fix that. */
export function noteSkip(missing: string, remedy: string): void {
  const file = process.env['TEST_SKIPS_FILE'];
  const line = `Tests are skipped: ${missing}. ${remedy}.\n`;
  if (file === undefined) process.stderr.write(line);
  else appendFileSync(file, line);
}
