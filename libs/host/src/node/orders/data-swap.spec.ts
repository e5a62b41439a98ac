import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSwap } from './data-swap.js';

describe('DataSwap', () => {
  let dir: string;
  let data: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-swap-'));
    data = join(dir, 'data');
    await hold(data, 'old');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const hold = async (path: string, content: string): Promise<void> => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'content'), content);
  };
  const held = (): Promise<string> => readFile(join(data, 'content'), 'utf8');
  const replaceWith = async (swap: DataSwap, content: string): Promise<void> => {
    await swap.begin();
    await hold(swap.incoming, content);
  };

  it('replaces the data with the incoming data, and reverts that', async () => {
    const swap = new DataSwap(data, 1);
    await replaceWith(swap, 'new');

    await swap.replace();
    expect(await held()).toBe('new');

    await swap.revert();
    expect(await held()).toBe('old');
    expect(await readdir(dir)).toEqual(['data']);
  });

  it('deletes the previous data when it is settled', async () => {
    const swap = new DataSwap(data, 1);
    await replaceWith(swap, 'new');
    await swap.replace();

    await swap.settle();
    await swap.revert();

    expect(await held()).toBe('new');
    expect(await readdir(dir)).toEqual(['data']);
  });

  it('can be repeated after an interruption at any point', async () => {
    const swap = new DataSwap(data, 1);
    await replaceWith(swap, 'half');
    // Interrupted after the first of the two renames.
    await rename(data, `${data}.before-1`);
    await replaceWith(swap, 'new');
    await swap.replace();
    expect(await held()).toBe('new');

    // Interrupted after the second rename, before the report: everything is repeated.
    await replaceWith(swap, 'new');
    await swap.replace();
    expect(await held()).toBe('new');

    // Interrupted after the deletion of the incoming data, before the previous data is restored.
    await rm(data, { recursive: true });
    await swap.revert();
    expect(await held()).toBe('old');
  });

  it('never restores the previous data of another restore', async () => {
    const first = new DataSwap(data, 1);
    await replaceWith(first, 'first');
    await first.replace();

    const second = new DataSwap(data, 2);
    await replaceWith(second, 'second');
    await second.replace();
    await second.revert();

    expect(await held()).toBe('first');
    expect(await readdir(dir)).toEqual(['data']);
  });

  it('works for a node that never had data', async () => {
    await rm(data, { recursive: true });
    const swap = new DataSwap(data, 1);
    await replaceWith(swap, 'new');

    await swap.replace();
    expect(await held()).toBe('new');
    await swap.revert();
    expect(await readdir(data)).toEqual([]);
  });
});
