import { availableParallelism } from 'node:os';
import { CHECKS } from './parts.mjs';
import { runCheck, verdict } from './run-part.mjs';

/** Runs all checks, two at a time, also after a failure. Returns their verdicts. */
export async function runChecks({ isBuilt }) {
  const waiting = [...CHECKS];
  const verdicts = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      verdicts.push(check.needsBuild && !isBuilt ? verdict(check.name, 0, 0, 1) : await runCheck(check));
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  return verdicts;
}

/** Prints one line for each verdict, and one for each failed test. */
export function printVerdicts(verdicts) {
  for (const { name, seconds, passed, failed, failures } of verdicts) {
    const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : '';
    console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s${counts})`);
    for (const failure of failures) console.log(`       ${failure}`);
  }
}
