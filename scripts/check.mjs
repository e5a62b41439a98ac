// npm run check: the build, and the checks of `parts.mjs`.
import { BUILD, CHECKS } from './suites/parts.mjs';
import { runCheck } from './suites/run-part.mjs';
import { printVerdicts, runChecks } from './suites/run-checks.mjs';

const build = await runCheck(BUILD, { isShown: true });
console.log(`Checks ${CHECKS.map(({ name }) => name).join(', ')}. Results come at the end, failures at once …`);
const verdicts = [build, ...(await runChecks({ isBuilt: build.failed === 0 }))];
printVerdicts(verdicts);
process.exit(verdicts.some(({ failed }) => failed > 0) ? 1 : 0);
