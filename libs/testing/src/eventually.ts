const LOOK_EVERY_MS = 25;

/** A condition did not become true in time. */
export class NeverHappened extends Error {}

/**
 * Waits until `condition` returns a truthy value, and returns it. An error inside it ends the wait at once. `what` is called
 * after the timeout, so it can report the actual state.
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
