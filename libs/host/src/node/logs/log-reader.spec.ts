import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogReader } from './log-reader.js';
import { LogRedaction } from './log-redaction.js';
import { ServerClock } from '../gateway/server-clock.js';

describe('the output of a process', () => {
  let dir: string;
  let path: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-log-'));
    path = join(dir, 'broker.log');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const reader = (cursor?: string): LogReader => {
    const reader = new LogReader(() => [{ runtime: 'broker', path }], new LogRedaction(), new ServerClock());
    if (cursor !== undefined) reader.seek(cursor);
    return reader;
  };
  const messages = async (from: LogReader): Promise<string[]> =>
    (await from.next()).lines.map(({ message }) => message);

  it('is read line by line, the last line only when it is complete', async () => {
    const log = reader();
    await writeFile(path, 'one\ntwo\nthr');
    expect(await messages(log)).toEqual(['one', 'two']);

    await appendFile(path, 'ee\n');
    expect(await messages(log)).toEqual(['three']);
    expect(await messages(log)).toEqual([]);
  });

  it('is continued by another agent with only the cursor', async () => {
    await writeFile(path, 'one\n');
    const { cursor } = await reader().next();
    await appendFile(path, 'two\n');

    expect(await messages(reader(cursor))).toEqual(['two']);
  });

  it('is not lost when the file is rotated', async () => {
    const log = reader();
    await writeFile(path, 'one\n');
    await messages(log);
    await appendFile(path, 'two\nlast words');
    await rename(path, `${path}.1`);
    await writeFile(path, 'three\n');

    expect(await messages(log)).toEqual(['two', 'last words']);
    expect(await messages(log)).toEqual(['three']);
    expect(await messages(log)).toEqual([]);
  });

  it('is not lost when the file is rotated several times between two reads', async () => {
    const log = reader();
    await writeFile(path, 'one\n');
    await messages(log);
    await appendFile(path, 'two\n');
    for (const [rotations, line] of ['three', 'four', 'five'].entries()) {
      for (let age = rotations; age > 0; age -= 1) await rename(`${path}.${age}`, `${path}.${age + 1}`);
      await rename(path, `${path}.1`);
      await writeFile(path, `${line}\n`);
    }

    const found: string[] = [];
    for (let lines = await messages(log); lines.length > 0; lines = await messages(log)) found.push(...lines);
    expect(found).toEqual(['two', 'three', 'four', 'five']);
  });

  it('is read from the oldest file by a new agent', async () => {
    await writeFile(`${path}.2`, 'one\n');
    await writeFile(`${path}.1`, 'two\n');
    await writeFile(path, 'three\n');

    const log = reader();
    expect([await messages(log), await messages(log), await messages(log), await messages(log)]).toEqual([
      ...[['one'], ['two'], ['three'], []],
    ]);
  });

  it('is continued in the middle of a rotation, while the newest file is missing', async () => {
    const log = reader();
    await writeFile(path, 'one\ntwo\n');
    await messages(log);
    await rename(path, `${path}.1`);
    expect(await messages(log)).toEqual([]);

    await rename(`${path}.1`, `${path}.2`);
    await writeFile(path, 'three\n');
    expect(await messages(log)).toEqual(['three']);
  });

  it('is read from the start when the file was truncated', async () => {
    const log = reader();
    await writeFile(path, 'one\ntwo\n');
    await messages(log);
    await truncate(path, 0);
    await appendFile(path, 'new\n');

    expect(await messages(log)).toEqual(['new']);
  });

  it('is read in batches without loss', async () => {
    const log = reader();
    await writeFile(path, Array.from({ length: 1_200 }, (_, n) => `line ${n}\n`).join(''));
    const batches = [await messages(log), await messages(log), await messages(log)];

    expect(batches.map(({ length }) => length)).toEqual([499, 499, 202]);
    expect(batches.flat()).toEqual(Array.from({ length: 1_200 }, (_, n) => `line ${n}`));
  });

  it('above the rate is dropped, counted and reported', async () => {
    const log = reader();
    await writeFile(path, Array.from({ length: 9_000 }, (_, n) => `line ${n}\n`).join(''));
    const reported: string[] = [];
    for (let found = await messages(log); found.length > 0; found = await messages(log)) reported.push(...found);

    const drops = reported.filter((message) => message.includes('were dropped'));
    const droppedLines = drops.map((message) => Number(message.split(' ')[0])).reduce((sum, lines) => sum + lines, 0);
    expect(reported.length - drops.length).toBeLessThan(6_000);
    expect(reported.length - drops.length + droppedLines).toBe(9_000);
  });

  it.each(['', 'nonsense', '{"broker.log":"x"}', '{"broker.log":[1,-1]}', 'null'])(
    'is read from the start with the cursor %j',
    async (cursor) => {
      await writeFile(path, 'one\n');
      expect(await messages(reader(cursor))).toEqual(['one']);
    },
  );
});
