import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CloudError } from '../../cloud-error.js';
import { RecordLocks } from './record-locks.js';

const BUILT = resolve('dist/libs/cloud/src/local/records/record-locks.js');
const ROUNDS = 40;

describe('RecordLocks', () => {
  let root: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    if (!existsSync(BUILT))
      throw new CloudError({ code: 'unavailable' }, `${BUILT} is missing: run "npm run build" first`);
    root = await mkdtemp(join(tmpdir(), 'landlord-locks-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  /** A process that runs the work with the lock `one`. */
  function aProcess(work: string): ChildProcess {
    const script = `import { RecordLocks } from ${JSON.stringify(pathToFileURL(BUILT).href)};
      import { existsSync, readFileSync, writeFileSync } from 'node:fs';
      const locks = new RecordLocks(${JSON.stringify(join(root, 'locks'))});
      const file = ${JSON.stringify(join(root, 'count'))};
      ${work}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  it('gives the lock to one process at a time, so that no change is lost', async () => {
    await writeFile(join(root, 'count'), '0');
    const work = `for (let round = 0; round < ${ROUNDS}; round += 1)
      await locks.run('one', async () => {
        const count = Number(readFileSync(file, 'utf8'));
        await new Promise((wake) => setImmediate(wake));
        writeFileSync(file, String(count + 1));
      });`;

    const codes = await Promise.all([1, 2, 3].map(() => once(aProcess(work), 'exit')));

    expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
    expect(await readFile(join(root, 'count'), 'utf8')).toBe(String(3 * ROUNDS));
    expect(await readdir(join(root, 'locks'))).toEqual([]);
  });

  it('releases the lock when its process ends', async () => {
    const holder = aProcess(
      `locks.run('one', () => { console.log('held'); return new Promise(() => setInterval(() => 0, 1000)); });`,
    );
    await once(holder.stdout!, 'data');
    const locks = new RecordLocks(join(root, 'locks'));
    let isIn = false;
    const waiting = locks.run('one', async () => (isIn = true));
    await locks.run('another', async () => undefined);
    expect(isIn).toBe(false);

    holder.kill('SIGKILL');

    expect(await waiting).toBe(true);
    expect(await readdir(join(root, 'locks'))).toEqual([]);
  });

  it('takes a lock whose pid belongs to another process now', async () => {
    await mkdir(join(root, 'locks', 'one'), { recursive: true });
    await writeFile(join(root, 'locks', 'one', `${process.pid}_an-earlier-boot_x`), '');

    expect(await new RecordLocks(join(root, 'locks')).run('one', async () => 'in')).toBe('in');
  });

  it('takes a lock from a stopped process, and refuses a later write of that process', async () => {
    const file = join(root, 'count');
    const holder = aProcess(
      `locks.run('one', async (lock) => {
         console.log('held');
         while (!existsSync(file)) await new Promise((wake) => setImmediate(wake));
         await lock.replace(file, 'of the one that woke');
       }).catch((error) => console.log(error.code));`,
    );
    await once(holder.stdout!, 'data');
    holder.kill('SIGSTOP');

    await new RecordLocks(join(root, 'locks')).run('one', (lock) => lock.replace(file, 'of the next'));
    const said = once(holder.stdout!, 'data');
    holder.kill('SIGCONT');

    expect(String(await said)).toBe('unavailable\n');
    expect(await readFile(file, 'utf8')).toBe('of the next');
    expect(await readdir(join(root, 'locks'))).toEqual([]);
  });

  it('deletes nothing after the lock was taken', async () => {
    const file = join(root, 'count');
    await writeFile(file, 'kept');
    const locks = new RecordLocks(join(root, 'locks'));

    const late = locks.run('one', async (lock) => {
      await locks.run('one', async () => undefined);
      await lock.remove(file);
    });

    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(await readFile(file, 'utf8')).toBe('kept');
  });

  it('releases the lock when the work fails', async () => {
    const locks = new RecordLocks(join(root, 'locks'));
    const failure = new CloudError({ code: 'unavailable' }, 'no');

    await expect(locks.run('one', () => Promise.reject(failure))).rejects.toBe(failure);

    expect(await locks.run('one', async () => 'in')).toBe('in');
  });
});
