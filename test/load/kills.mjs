// kill -9 of one main API and of one Supervisor in turns. The other main API and the other Supervisor are never killed,
// so their memory is measured without a break.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_AFTER_MS = 10_000;
const EVERY_MS = 25_000;
const DOWN_MS = 2_000;

/** Kills `apps` in turns until `signal`, and starts each again. Returns the kills. */
export async function killInTurns(apps, signal) {
  const kills = [];
  for (let n = 0; await passes(n === 0 ? FIRST_AFTER_MS : EVERY_MS, signal); n += 1) {
    const app = apps[n % apps.length];
    const { child } = app;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const begun = performance.now();
    await delay(DOWN_MS);
    await app.start();
    kills.push({ app: app.name, downMs: performance.now() - begun });
  }
  return kills;
}

/** Whether the time has passed before `signal`. */
async function passes(ms, signal) {
  return delay(ms, true, { signal }).catch(() => false);
}
