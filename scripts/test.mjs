// npm test: build, checks, every suite; goes on after a failure. The last line is `N passed, N failed`.
// With names (unit, architecture, e2e, faults, proofs), only those suites.
import { BUILD, COMPAT, PROOFS, runCheck, runSuite, SUITES, verdict } from './parts.mjs';
import { printVerdicts, runChecks } from './run-checks.mjs';

const chosen = process.argv.slice(2);
const known = [...SUITES, PROOFS];
const unknown = chosen.filter((name) => !known.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are: ${known.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
// What takes minutes for what it waits is for CI, and for whoever asks for it.
const standing = process.env.CI ? known : SUITES;
const wanted = chosen.length > 0 ? known.filter(({ name }) => chosen.includes(name)) : standing;

const build = await runCheck(BUILD, { isShown: true });
const isBuilt = build.failed === 0;
const verdicts = [build];
if (chosen.length === 0) verdicts.push(...(await runChecks({ isBuilt })));
for (const suite of wanted) {
  console.log(`\n--- ${suite.name}`);
  // Stories about processes of an older build would tell lies.
  verdicts.push(suite.needsBuild && !isBuilt ? verdict(suite.name, 0, 0, 1) : await runSuite(suite));
}

// Builds another release, which takes a minute: `npm run compat` is there for everybody else.
if (chosen.length === 0 && isBuilt && process.env.CI) verdicts.push(await runCheck(COMPAT, { isShown: true }));

const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log('');
printVerdicts(verdicts);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);
