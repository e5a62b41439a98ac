/** How many may be out at once, and for how long the next one waits for the one before it. */
export interface Turns {
  headStartMs: number;
  most: number;
  signal: AbortSignal;
}

/**
 * Starts `work` for each item in order. One starts when the one before it has ended, or has been under way for the head start:
 * so a destination that answers sees them one after the other, and one that hangs holds nobody back for longer. Resolves when
 * all that was started has ended; rejects with the first rejection. Starts no more once aborted.
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
    // Its rejection is told at the end, by `all`.
    await endedOr(started, headStartMs);
    while (underWay.size >= most) await Promise.race(underWay).catch(() => undefined);
  }
  await Promise.all(all);
}

async function endedOr(started: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const later = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([started.catch(() => undefined), later]);
  clearTimeout(timer);
}
