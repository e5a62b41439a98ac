// Requests at fixed times. A slow answer does not delay the next request, and the latency counts from the planned start.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts `send(n)` at `n / perSecond` for each n, and waits for all answers. Returns for each request `{latencyMs,
 * retries}` or `{latencyMs, error}`.
 */
export async function openLoop({ perSecond, seconds, send }) {
  const begun = performance.now();
  const results = [];
  const running = new Set();
  const count = Math.round(perSecond * seconds);
  for (let n = 0; n < count; n += 1) {
    const planned = begun + (n * 1000) / perSecond;
    const early = planned - performance.now();
    if (early > 0) await delay(early);
    const request = measured(planned, () => send(n)).then((result) => {
      results[n] = result;
      running.delete(request);
    });
    running.add(request);
  }
  await Promise.all(running);
  return results;
}

async function measured(planned, send) {
  try {
    const retries = await send();
    return { latencyMs: performance.now() - planned, retries };
  } catch (error) {
    return { latencyMs: performance.now() - planned, retries: 0, error: error.message };
  }
}
