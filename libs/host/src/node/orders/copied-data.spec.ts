import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeOrder } from '@libs/domain';
import { AgentError } from '../agent-error.js';
import { requireCopiedData, takeCopiedData } from './copied-data.js';
import { listingOf } from './listing.js';
import { OrderFailed } from './order-failed.js';
import { removeLeftovers } from './order-leftovers.js';

const ORDER = 7;

describe('Data that the machine agent has copied from another disk', () => {
  let dir: string;
  let copied: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-copied-'));
    copied = join(dir, `copied-${ORDER}`);
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const fill = async (directory: string): Promise<void> => {
    await mkdir(join(directory, 'deep/empty'), { recursive: true });
    await writeFile(join(directory, 'deep/b'), 'two');
    await writeFile(join(directory, 'a'), 'one');
  };
  const expected = async () => {
    const source = join(dir, 'source');
    await fill(source);
    return listingOf(source);
  };

  it('is expected again while the copy continues', async () => {
    await expect(requireCopiedData(dir, ORDER, await expected())).rejects.toThrow(AgentError);
  });

  it('is taken as the files that were frozen, and stays for an interrupted order', async () => {
    await fill(copied);
    await symlink('/etc/hostname', join(copied, 'link'));

    await requireCopiedData(dir, ORDER, await expected());
    for (const incoming of ['first', 'second']) {
      await takeCopiedData(dir, ORDER, join(dir, incoming));
      expect((await readdir(join(dir, incoming), { recursive: true })).sort()).toEqual([
        'a',
        'deep',
        'deep/b',
        'deep/empty',
      ]);
      expect(await readFile(join(dir, incoming, 'deep/b'), 'utf8')).toBe('two');
    }
  });

  it.each<[string, (directory: string) => Promise<void>]>([
    ['a file is missing', (directory) => rm(join(directory, 'a'))],
    ['a file is shorter', (directory) => writeFile(join(directory, 'a'), 'on')],
    ['a file has another name', (directory) => writeFile(join(directory, 'c'), '')],
    ['a file is elsewhere', (directory) => writeFile(join(directory, 'deep/empty/a'), '')],
  ])('fails the order when %s', async (_case, harm) => {
    await fill(copied);
    await harm(copied);

    const refused = expect(requireCopiedData(dir, ORDER, await expected())).rejects;
    await refused.toThrow(new OrderFailed('the data on the disk is damaged: files are missing, or have another size'));
  });

  it('ends the order with the reason of the machine agent', async () => {
    await fill(copied);
    await writeFile(`${copied}.failed`, 'The disk is missing.');

    const refused = expect(requireCopiedData(dir, ORDER, await expected())).rejects;
    await refused.toThrow(new OrderFailed('The disk is missing.'));
  });

  it('is deleted without its order, and the frozen data without an order that needs it', async () => {
    const home = { dir, installation: 'spec', nodeId: 1 };
    const order = (id: number, kind: NodeOrder['kind']): NodeOrder => ({ id, kind, parts: {}, options: {} });
    for (const name of ['copied-7', 'copied-8', 'frozen', 'data', 'copied-x'])
      await mkdir(join(dir, name, 'deep'), { recursive: true });
    await writeFile(join(dir, 'copied-8.failed'), '');

    await removeLeftovers(home, [order(7, 'restore_data'), order(9, 'freeze_data')]);
    expect((await readdir(dir)).sort()).toEqual(['copied-7', 'copied-x', 'data', 'frozen']);
    await removeLeftovers(home, [order(10, 'revert_data')]);
    expect((await readdir(dir)).sort()).toEqual(['copied-x', 'data']);
  });

  it('waits for its order: the machine agent can copy before this agent has a document with the order', async () => {
    const home = { dir, installation: 'spec', nodeId: 1 };
    await mkdir(copied);
    await writeFile(`${copied}.failed`, '');

    await removeLeftovers(home, []);
    await removeLeftovers(home, [{ id: ORDER - 1, kind: 'archive_data', parts: {}, options: {} }]);

    expect((await readdir(dir)).sort()).toEqual([`copied-${ORDER}`, `copied-${ORDER}.failed`]);
  });
});
