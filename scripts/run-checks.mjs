import { availableParallelism } from 'node:os';
import { CHECKS, runCheck, verdict } from './parts.mjs';

/** Runs every check, two at a time, also after a failure. Answers their verdicts. */
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

/** One line for each verdict. */
export function printVerdicts(verdicts) {
  for (const { name, seconds, passed, failed } of verdicts) {
    const counts = passed + failed > 1 ? `, ${passed} passed, ${failed} failed` : '';
    console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s${counts})`);
  }
}
