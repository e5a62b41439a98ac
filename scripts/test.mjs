// npm test: builds, then runs the unit, architecture and e2e tests. In CI also the checks, the faults, the matrix of
// all routes, the attacks and one slow test of each area. Continues after a failure. The last line is `N passed, N
// failed`. With names (unit, e2e, attack, proofs, proofs:nodes ...), only these suites.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../libs/testing/src/skips-file.mjs';
import { CALLS_VARIABLE, compareCalls } from './aws/aws-calls.mjs';
import {
  ATTACK,
  BUILD,
  BY_NAME,
  COMPAT,
  FAULTS,
  MATRIX,
  OTHER_NODES,
  PROGRAMS,
  SMOKE,
  SUITES,
} from './suites/parts.mjs';
import { printVerdicts, runChecks } from './suites/run-checks.mjs';
import { limitRun, runCheck, runSuite, verdict } from './suites/run-part.mjs';

/** The suites that CI runs after the suites of `npm test`. */
const IN_CI = [MATRIX];

/** The suites that CI runs next to the others: they mostly wait. */
const WAITING_IN_CI = [FAULTS, SMOKE, ...(Object.keys(PROGRAMS.env).length > 0 ? [PROGRAMS] : [])];

/** The suites that contain all tests of AWS. */
const WITH_AWS = ['proofs', 'proofs:aws'];

const chosen = process.argv.slice(2);
const known = [...new Set([...SUITES, ...IN_CI, ...WAITING_IN_CI, ATTACK, ...BY_NAME])];
const unknown = chosen.filter((name) => !known.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const isWhole = chosen.length === 0;
if (isWhole) limitRun();
const inCi = isWhole && Boolean(process.env.CI);
const wanted = isWhole ? [...SUITES, ...(inCi ? IN_CI : [])] : known.filter(({ name }) => chosen.includes(name));

const notes = mkdtempSync(join(tmpdir(), 'landlord-skips-'));
process.env[SKIPS_VARIABLE] = skipsFileIn(notes);
process.env[CALLS_VARIABLE] = join(notes, 'aws-calls.txt');

const build = await runCheck(BUILD, { isShown: true });
const isBuilt = build.failed === 0;
const verdicts = [build];

async function play(suite) {
  console.log(`\n--- ${suite.name}`);
  // After a failed build, e2e tests would test the old build.
  const played = suite.needsBuild && !isBuilt ? verdict(suite.name, 0, 0, 1) : await runSuite(suite);
  verdicts.push(played);
  if (WITH_AWS.includes(suite.name)) await compareCallsOf(played);
}

/** Only a whole run has used every action: without a failed test, and without a test that was skipped for a missing program. */
async function compareCallsOf({ failed }) {
  const name = 'calls of AWS';
  if (failed > 0 || existsSync(skipsFileIn(notes))) {
    console.log(`\n--- ${name}\nNot compared with the policies: tests have failed or were skipped.`);
    return;
  }
  console.log(`\n--- ${name}`);
  const differences = await compareCalls(process.env[CALLS_VARIABLE]);
  verdicts.push(verdict(name, 0, differences === 0 ? 1 : 0, differences));
}

/**
 * The parts that wait most of the time: until a cloud has recovered, a lease has expired, a process has started, npm has
 * answered. CI runs them one after the other, next to the parts that need the processor.
 */
async function playWaiting() {
  for (const suite of WAITING_IN_CI) await play(suite);
  if (isBuilt) verdicts.push(...(await Promise.all([COMPAT, OTHER_NODES].map((check) => runCheck(check)))));
}

const waiting = inCi ? playWaiting() : null;
if (inCi) verdicts.push(...(await runChecks({ isBuilt })));
for (const suite of wanted) await play(suite);
await waiting;
// Alone: a random attack has a fixed time, and sends less on a busy processor.
if (inCi) await play(ATTACK);

const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log('');
printSkips(skipsFileIn(notes));
rmSync(notes, { recursive: true, force: true });
printVerdicts(verdicts);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);
