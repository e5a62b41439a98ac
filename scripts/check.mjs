// npm run check: formatting, lint, types, dependency rules, golden files.
import { BUILD } from './suites/parts.mjs';
import { runCheck } from './suites/run-part.mjs';
import { printVerdicts, runChecks } from './suites/run-checks.mjs';

const build = await runCheck(BUILD, { isShown: true });
const verdicts = [build, ...(await runChecks({ isBuilt: build.failed === 0 }))];
printVerdicts(verdicts);
process.exit(verdicts.some(({ failed }) => failed > 0) ? 1 : 0);
