import { ClassicLevel } from 'classic-level';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyStore } from './copy-store.js';
import { WriteHold } from './write-hold.js';

const VALUE = 'x'.repeat(10_000);

describe('A store with blocked writes', () => {
  let dir: string;
  let store: ClassicLevel;
  let hold: WriteHold;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-store-'));
    store = new ClassicLevel(join(dir, 'data'));
    hold = new WriteHold(store);
    await store.open();
  });
  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  const keysOf = async (copy: string): Promise<number[]> => {
    // Opens another copy, because this one shares tables with the store.
    await cp(copy, `${copy}-own`, { recursive: true });
    const opened = new ClassicLevel(`${copy}-own`);
    const keys = await opened.keys().all();
    await opened.close();
    return keys.map(Number).sort((a, b) => a - b);
  };

  it('is copied consistently while a writer continues and tables are merged', async () => {
    let acknowledged = 0;
    let isOver = false;
    const writing = (async () => {
      for (let key = 0; !isOver; key += 1) {
        await store.put(String(key), VALUE);
        acknowledged = key + 1;
      }
    })();
    const seen: [number, number[]][] = [];
    for (let round = 0; round < 5; round += 1) {
      // Some megabytes between two copies, so that the store writes and merges tables.
      const from = acknowledged;
      while (acknowledged < from + 800) await new Promise((wake) => setTimeout(wake, 5));
      const before = acknowledged;
      const copy = join(dir, `copy-${round}`);
      await hold.during(() => copyStore(join(dir, 'data'), copy));
      seen.push([before, await keysOf(copy)]);
    }
    isOver = true;
    await writing;

    for (const [before, keys] of seen) {
      expect(keys.length).toBeGreaterThanOrEqual(before);
      expect(keys).toEqual(Array.from({ length: keys.length }, (_, index) => index));
    }
  });

  it('accepts no kind of write until the work is done', async () => {
    const written: string[] = [];
    const noted = (name: string, work: Promise<void>): Promise<void> => work.then(() => void written.push(name));
    let pending: Promise<void>[] = [];

    await hold.during(async () => {
      pending = [
        noted('put', store.put('1', 'a')),
        noted('batch', store.batch([{ type: 'put', key: '2', value: 'b' }])),
        noted('chain', store.batch().put('3', 'c').write()),
        noted('del', store.del('4')),
        noted('clear', store.clear({ gt: '5' })),
      ];
      expect(await store.get('1')).toBeUndefined();
      expect(written).toEqual([]);
    });
    await Promise.all(pending);

    expect(written.sort()).toEqual(['batch', 'chain', 'clear', 'del', 'put']);
    expect(await store.getMany(['1', '2', '3'])).toEqual(['a', 'b', 'c']);
  });

  it('accepts writes again after failed work', async () => {
    const failing = hold.during(() => Promise.reject(new TypeError('no room')));

    await expect(failing).rejects.toThrow('no room');
    await store.put('1', 'a');
    expect(await store.get('1')).toBe('a');
  });
});
