// npm test: builds, then runs every suite, and in CI the checks, the attacks and one proof of each world too; continues after a
// failure. The last line is `N passed, N failed`. With names (unit, e2e, attack, proofs, proofs:nodes ...), only these suites.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printSkips, SKIPS_VARIABLE, skipsFileIn } from '../libs/testing/src/skips-file.mjs';
import { ATTACK, BUILD, BY_NAME, COMPAT, runCheck, runSuite, SMOKE, SUITES, verdict } from './parts.mjs';
import { printVerdicts, runChecks } from './run-checks.mjs';

const chosen = process.argv.slice(2);
const known = [...SUITES, ATTACK, SMOKE, ...BY_NAME];
const unknown = chosen.filter((name) => !known.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
// What computes or waits for minutes more is for CI, and for whoever asks for it.
const isWhole = chosen.length === 0;
const inCi = isWhole && Boolean(process.env.CI);
const wanted = isWhole
  ? [...SUITES, ...(inCi ? [ATTACK, SMOKE] : [])]
  : known.filter(({ name }) => chosen.includes(name));

const notes = mkdtempSync(join(tmpdir(), 'landlord-skips-'));
process.env[SKIPS_VARIABLE] = skipsFileIn(notes);

const build = await runCheck(BUILD, { isShown: true });
const isBuilt = build.failed === 0;
const verdicts = [build];

async function play(suite) {
  console.log(`\n--- ${suite.name}`);
  // Stories about processes of an older build would tell lies.
  verdicts.push(suite.needsBuild && !isBuilt ? verdict(suite.name, 0, 0, 1) : await runSuite(suite));
}

async function playAll(suites) {
  for (const suite of suites) await play(suite);
}

// Faults wait most of the time for what they have broken to come back: they play beside the others.
const isBeside = (suite) => isWhole && suite.isBesideOthers;
const breaking = playAll(wanted.filter(isBeside));
if (inCi) verdicts.push(...(await runChecks({ isBuilt })));
await playAll(wanted.filter((suite) => !isBeside(suite)));
await breaking;

// Builds another release, which takes a minute: `npm run compat` is there for everybody else.
if (inCi && isBuilt) verdicts.push(await runCheck(COMPAT, { isShown: true }));

const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log('');
printSkips(skipsFileIn(notes));
rmSync(notes, { recursive: true, force: true });
printVerdicts(verdicts);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);
