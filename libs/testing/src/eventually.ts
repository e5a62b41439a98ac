const LOOK_EVERY_MS = 25;

/** A condition did not come true in time. */
export class NeverHappened extends Error {}

/**
 * Waits until `condition` answers something truthy and answers it; errors inside it end the wait at once. `what` is asked
 * when the time is over: it can say what was there instead.
 */
export async function eventually<T>(
  what: string | (() => string),
  condition: () => Promise<T> | T,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (Date.now() > deadline)
      throw new NeverHappened(`did not happen in ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
