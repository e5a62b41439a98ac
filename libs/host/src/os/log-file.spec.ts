import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SmallDisk } from '@libs/testing';
import { closeLog, openLog, rotateLog, tailOf } from './log-file.js';
import { writePrivateFileSync } from './private-file.js';
import { FileLock } from './file-lock.js';

const appendTo = (log: number | 'ignore', text: string): void => {
  if (log !== 'ignore') writeFileSync(log, text);
};
const MIB = 1024 * 1024;
const LINES = Array.from({ length: 40_000 }, (_, index) => `line ${index}`.padEnd(31, '.')).join('\n') + '\n';

describe('A log above its limit', () => {
  let directory: string;
  const path = (name = 'app.log'): string => join(directory, name);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'landlord-log-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is moved, while its writer continues at the new end', () => {
    const writer = openLog(path());
    appendTo(writer, LINES);
    rotateLog(path(), MIB);
    appendTo(writer, 'after\n');
    closeLog(writer);

    expect(readFileSync(path(), 'utf8')).toBe('after\n');
    expect(readFileSync(path('app.log.1'), 'utf8')).toBe(LINES);
  });

  it('keeps nothing but its newest lines when it cannot be copied', () => {
    writeFileSync(path(), LINES);
    // No file can have this path.
    mkdirSync(join(path('app.log.1'), 'taken'), { recursive: true });

    rotateLog(path(), MIB);

    expect(statSync(path()).size).toBe(0);
  });

  it('is not needed: a process runs without a log that cannot be opened', () => {
    const log = openLog(path('no/such/folder'));

    expect(log).toBe('ignore');
    expect(() => closeLog(log)).not.toThrow();
    expect(tailOf(path('none'), 3)).toBe('');
    mkdirSync(path('folder'));
    expect(tailOf(path('folder'), 3)).toContain('EISDIR');
    expect(existsSync(path('none'))).toBe(false);
  });
});

const describeOnSmallDisk = await SmallDisk.describe();

describeOnSmallDisk('On a disk that is full to the last byte, a log', () => {
  it('becomes shorter, as do the files of the launcher', async () => {
    const disk = await SmallDisk.mount(3);
    const path = (name: string): string => join(disk.directory, name);
    try {
      writeFileSync(path('app.log'), LINES);
      expect(() => writeFileSync(path('filler'), Buffer.alloc(4 * MIB))).toThrow('ENOSPC');
      expect(() => writePrivateFileSync(path('secret'), 'x'.repeat(10_000))).toThrow('ENOSPC');
      expect(() => FileLock.tryAcquire(path('lock'))).toThrow('ENOSPC');
      expect(readdirSync(disk.directory).sort()).toEqual(['app.log', 'filler']);

      rotateLog(path('app.log'), MIB);

      expect(statSync(path('app.log')).size).toBe(0);
      expect(LINES.endsWith(readFileSync(path('app.log.1'), 'utf8'))).toBe(true);
      expect(statSync(path('app.log.1')).size).toBe(256 * 1024);
    } finally {
      await disk.unmount();
    }
  });
});
