// npm run compat [-- --from <ref> --only <test> --speed]: runs the end-to-end tests of the previous release, with its own
// code and test tools, on the schema of this checkout. With --speed, it also compares the CPU of both releases. The last
// line is `N passed, N failed`. Exit code 3: the release cannot be tested this way.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LEFT_OUT } from '../test/compat/left-out.mjs';
import { MOST, slowerMeasures } from '../test/bench/against/guard.mjs';
import { makeOldCheckout, Untestable } from '../test/compat/old-checkout.mjs';
import { openPlace, removePlace } from '../test/compat/place.mjs';
import { commitOf, previousRelease } from '../test/compat/previous-release.mjs';
import { endCommandsOnSignals, Interrupted, runCommand } from '../test/compat/run-command.mjs';
import { ROOT } from './build-stamp.mjs';

const EXIT = { failed: 1, usage: 2, untestable: 3, interrupted: 130 };
/** How a release runs its tests, which its configuration tells. */
const JEST = [
  ...['--experimental-vm-modules', '--no-warnings'],
  ...['node_modules/jest/bin/jest.js', '--ci', '--forceExit', '--maxWorkers=1'],
];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1'];

const { values: options } = parseArgs({
  options: { from: { type: 'string' }, only: { type: 'string' }, speed: { type: 'boolean', default: false } },
});
const release = options.from ?? previousRelease();
const commit = release && commitOf(release);
if (!commit) {
  console.error(
    release
      ? `git knows no commit ${release}.`
      : 'git knows no release before this one: no tag v*, no commit before HEAD.',
  );
  process.exit(release ? EXIT.usage : EXIT.untestable);
}

endCommandsOnSignals();
const place = await openPlace();
process.exitCode = await compare().finally(() => removePlace(place.directory));

async function compare() {
  try {
    console.log(`The stories of ${release} (${commit.slice(0, 7)}) on the schema of this checkout.`);
    await makeOldCheckout(commit, place.checkout);
    const stories = await runStories();
    return report(options.speed ? await withSpeed(stories) : stories);
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (!(error instanceof Untestable)) throw error;
    console.error(`${release} cannot be tested: ${error.message}.`);
    return EXIT.untestable;
  }
}

/** Adds one result: whether a read, a creation and a step take at most the CPU that they may. */
async function withSpeed({ passed, failed }) {
  const slower = await slowerMeasures({ now: ROOT, before: place.checkout });
  if (slower.length === 0) return { passed: passed + 1, failed };
  console.error(`More than ${MOST} times the CPU of ${release}: ${slower.join(', ')}.`);
  return { passed, failed: failed + 1 };
}

async function runStories() {
  const result = join(place.directory, 'report.json');
  const tests = `--testNamePattern=^(?!${LEFT_OUT.join('|')})`;
  const usesJest = existsSync(join(place.checkout, 'jest.config.mjs'));
  const runner = usesJest
    ? [...JEST, '--json', `--roots=${join(place.checkout, 'test/e2e')}`]
    : [...VITEST, '--reporter=default', '--reporter=json'];
  const args = [...runner, `--outputFile=${result}`, tests, ...(options.only === undefined ? [] : [options.only])];
  const schema = { LANDLORD_TEST_SCHEMA: ROOT, LANDLORD_TEST_SCHEMA_LOG: place.log };
  const env = {
    ...{ ...process.env, ...schema, TMPDIR: place.temporary },
    TEST_INCLUDE: JSON.stringify(['test/e2e/**/*.spec.ts']),
  };
  const code = await runCommand(process.execPath, args, { cwd: place.checkout, env });
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numRuntimeErrorTestSuites = 0,
  } = existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')) : {};
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: code === 0 ? failed : Math.max(1, failed) };
}

/** A run counts as failed if no test passed, or if no database had the schema of this checkout. */
function report({ passed, failed }) {
  const migrated = existsSync(place.log) ? readFileSync(place.log, 'utf8').trim().split('\n') : [];
  if (migrated.length === 0) console.error('No database was given the schema of this checkout.');
  else console.log(`${migrated.length} times a database was given this checkout's schema, up to ${migrated[0]}.`);
  const failures = migrated.length === 0 || passed === 0 ? Math.max(1, failed) : failed;
  console.log(`${passed} passed, ${failures} failed`);
  return failures > 0 ? EXIT.failed : 0;
}
