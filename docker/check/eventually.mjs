import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 200;

/** A condition was not reached in time. */
class TookTooLong extends Error {
  name = 'TookTooLong';
}

/** Calls `look` until its result is true or an object, and returns the result. @throws TookTooLong */
export async function eventually(what, look, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new TookTooLong(`After ${timeoutMs / 1000} s it is not true that ${what}.`);
    await delay(EVERY_MS);
  }
}
