import { inTurn } from './in-turn.js';

/** Work that ends when the test ends it. */
function works() {
  const started: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (item: number): Promise<void> =>
    new Promise((resolve) => {
      started.push(item);
      ends.set(item, resolve);
    });
  return { started, work, end: (item: number) => ends.get(item)?.() };
}
const turn = async (): Promise<void> => {
  for (let n = 0; n < 10; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('inTurn', () => {
  const signal = new AbortController().signal;

  it('starts the next item when the one before has ended', async () => {
    const { started, work, end } = works();
    const all = inTurn([1, 2, 3], { headStartMs: 60_000, most: 5, signal }, work);

    await turn();
    expect(started).toEqual([1]);
    end(1);
    await turn();
    expect(started).toEqual([1, 2]);
    end(2);
    await turn();
    end(3);
    await all;
    expect(started).toEqual([1, 2, 3]);
  });

  it('delays the next item by the head start only when an item hangs', async () => {
    const { started, work, end } = works();
    const all = inTurn([1, 2], { headStartMs: 5, most: 5, signal }, async (item) => {
      if (item === 2) end(1);
      return item === 1 ? work(item) : void started.push(item);
    });

    await all;
    expect(started).toEqual([1, 2]);
  });

  it('runs at most `most` items at once', async () => {
    const { started, work, end } = works();
    const all = inTurn([1, 2, 3], { headStartMs: 0, most: 2, signal }, work);
    while (started.length < 2) await turn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(started).toEqual([1, 2]);
    end(2);
    while (started.length < 3) await turn();
    end(1);
    end(3);
    await all;
  });

  it('starts no item after an abort, and rejects with a failure when all items have ended', async () => {
    const { started, work, end } = works();
    const abort = new AbortController();
    const all = inTurn([1, 2, 3], { headStartMs: 60_000, most: 5, signal: abort.signal }, (item) =>
      item === 2 ? Promise.reject(new TypeError('broken')) : work(item),
    );
    const rejected = expect(all).rejects.toThrow('broken');
    await turn();
    end(1);
    await turn();
    abort.abort();
    end(3);
    await rejected;
    expect(started).toEqual([1, 3]);
  });
});
