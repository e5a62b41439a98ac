import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTimeOf } from './process-table.js';
import { FileLock } from './file-lock.js';

const BUILT = resolve('dist/libs/host/src/os/file-lock.js');

describe('a lock file', () => {
  let directory: string;
  const path = (): string => join(directory, 'lock');

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'landlord-lock-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('has one owner at a time and leaves no file when it is released', () => {
    const lock = FileLock.tryAcquire(path());

    expect(FileLock.tryAcquire(path())).toEqual({ heldBy: process.pid });
    expect(lock).toBeInstanceOf(FileLock);
    (lock as FileLock).release();
    expect(readdirSync(directory)).toEqual([]);
    expect(FileLock.tryAcquire(path())).toBeInstanceOf(FileLock);
  });

  it('tells others the note of its living owner, and nothing after its end', () => {
    expect(FileLock.holderOf(path())).toBeNull();
    const lock = FileLock.tryAcquire(path(), { release: '1' });

    expect(FileLock.holderOf(path())).toEqual({ heldBy: process.pid, note: { release: '1' } });
    expect(FileLock.tryAcquire(path(), 'another')).toEqual({ heldBy: process.pid, note: { release: '1' } });
    (lock as FileLock).release();
    expect(FileLock.holderOf(path())).toBeNull();
    writeFileSync(path(), JSON.stringify({ pid: 2 ** 22 + 1, born: 'then', nonce: 'a', note: 'of the dead' }));
    expect(FileLock.holderOf(path())).toBeNull();
  });

  it('is taken over when its owner is dead, or when another process has its pid', () => {
    for (const owner of [
      { pid: 2 ** 22 + 1, born: 'then', nonce: 'a' },
      { pid: process.pid, born: `not ${startTimeOf(process.pid)}`, nonce: 'b' },
    ]) {
      writeFileSync(path(), JSON.stringify(owner));
      const lock = FileLock.tryAcquire(path());
      expect(lock).toBeInstanceOf(FileLock);
      (lock as FileLock).release();
    }
  });

  it('is taken over when a crash of the machine left it empty', () => {
    writeFileSync(path(), '');

    expect(FileLock.tryAcquire(path())).toBeInstanceOf(FileLock);
  });

  it('is won by exactly one of many processes that find the same dead owner', async () => {
    writeFileSync(path(), JSON.stringify({ pid: 2 ** 22 + 1, born: 'then', nonce: 'a' }));
    const script = `import { FileLock } from ${JSON.stringify(BUILT)};
      process.stdin.once('data', () => {
        process.stdout.write(FileLock.tryAcquire(process.argv[1]) instanceof FileLock ? 'won' : 'lost');
        process.stdin.once('data', () => process.exit(0));
      });
      process.stderr.write('ready');`;
    const racers = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script, path()], { stdio: ['pipe', 'pipe', 'pipe'] }),
    );
    await Promise.all(racers.map((racer) => once(racer.stderr, 'data')));

    racers.forEach((racer) => racer.stdin.write('go'));
    const results = await Promise.all(racers.map(async (racer) => String((await once(racer.stdout, 'data'))[0])));

    expect(results.filter((result) => result === 'won')).toHaveLength(1);
    await Promise.all(racers.map((racer) => (racer.stdin.write('end'), once(racer, 'exit'))));
  });
});
