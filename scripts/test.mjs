// npm test: build, checks, every suite; goes on after a failure. The last line is `N passed, N failed`.
// With names (unit, architecture, e2e, faults, proofs, timing), only those suites.
import { BUILD, COMPAT, PROOFS, runCheck, runSuite, SUITES, TIMING, verdict } from './parts.mjs';
import { printVerdicts, runChecks } from './run-checks.mjs';

const chosen = process.argv.slice(2);
const known = [...SUITES, PROOFS, TIMING];
const unknown = chosen.filter((name) => !known.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
// What takes minutes for what it waits is for CI, and for whoever asks for it.
const standing = process.env.CI ? [...SUITES, PROOFS] : SUITES;
const wanted = chosen.length > 0 ? known.filter(({ name }) => chosen.includes(name)) : standing;

const build = await runCheck(BUILD, { isShown: true });
const isBuilt = build.failed === 0;
const verdicts = [build];

async function play(suite) {
  console.log(`\n--- ${suite.name}`);
  // Stories about processes of an older build would tell lies.
  verdicts.push(suite.needsBuild && !isBuilt ? verdict(suite.name, 0, 0, 1) : await runSuite(suite));
}

// The checks compute, and faults wait most of the time for what they have broken to come back.
const beside = chosen.length === 0 ? wanted.filter((suite) => suite.isBesideChecks) : [];
const checking = chosen.length === 0 ? runChecks({ isBuilt }) : [];
for (const suite of beside) await play(suite);
verdicts.push(...(await checking));
for (const suite of wanted.filter((one) => !beside.includes(one))) await play(suite);

// Builds another release, which takes a minute: `npm run compat` is there for everybody else.
if (chosen.length === 0 && isBuilt && process.env.CI) verdicts.push(await runCheck(COMPAT, { isShown: true }));

const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log('');
printVerdicts(verdicts);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);
