const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 25;
/** A busy machine delays a process by a minute. Only a failing test waits this long. */
const PATIENCE_MS = 100_000;

/** A condition did not become true in time. */
export class NeverHappened extends Error {}

/**
 * Waits until `condition` returns a truthy value, and returns it. An error inside it ends the wait at once. `what` is called
 * after the timeout, so it can report the actual state.
 */
export async function eventually<T>(
  what: string | (() => string),
  condition: () => Promise<T> | T,
  withinMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > deadline)
      throw new NeverHappened(`did not happen in ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
