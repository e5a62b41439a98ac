/** The maximum of concurrent items, and the time that an item waits for the one before. */
export interface Turns {
  headStartMs: number;
  most: number;
  signal: AbortSignal;
}

/**
 * Starts `work` for each item in order. An item starts when the one before has ended or has run for the head start. So
 * a destination that answers receives the items one after the other, and one that hangs delays each item by the head
 * start only. Resolves when all started items have ended; rejects with the first rejection. Starts no item after an
 * abort.
 */
export async function inTurn<T>(
  items: readonly T[],
  { headStartMs, most, signal }: Turns,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const all: Promise<void>[] = [];
  for (const item of items) {
    if (signal.aborted) break;
    const started = work(item).finally(() => underWay.delete(started));
    underWay.add(started);
    all.push(started);
    // `all` reports the rejection at the end.
    await endedOr(started, headStartMs);
    while (underWay.size >= most) await Promise.race(underWay).catch(() => undefined);
  }
  await Promise.all(all);
}

/** Resolves when `started` has ended, after `ms` at the latest. One promise: `Promise.race` makes several for each item. */
function endedOr(started: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const ended = (): void => {
      clearTimeout(timer);
      resolve();
    };
    started.then(ended, ended);
  });
}
