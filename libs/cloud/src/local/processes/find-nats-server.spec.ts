import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from './find-nats-server.js';

describe('findNatsServer', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-find-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function aServer(folder: string, mode = 0o755): Promise<string> {
    await mkdir(join(dir, folder), { recursive: true });
    const file = join(dir, folder, 'nats-server');
    await writeFile(file, '');
    await chmod(file, mode);
    return file;
  }

  it('prefers the fetched package over PATH', async () => {
    const onPath = await aServer('bin');
    const path = `/none:${join(dir, 'bin')}`;
    expect(await findNatsServer({ dataDir: join(dir, 'data'), path })).toBe(onPath);

    const fetched = await aServer('data/packages/nats-server/usr/sbin');
    expect(await findNatsServer({ dataDir: join(dir, 'data'), path })).toBe(fetched);
  });

  it('uses only the given path, and returns null when it is missing or not executable', async () => {
    const path = join(dir, 'bin');
    await aServer('bin');
    const named = await aServer('mine');
    expect(await findNatsServer({ given: named, dataDir: dir, path })).toBe(named);

    expect(await findNatsServer({ given: join(dir, 'none'), dataDir: dir, path })).toBeNull();
    const unrunnable = await aServer('plain', 0o644);
    expect(await findNatsServer({ given: unrunnable, dataDir: dir, path })).toBeNull();
  });

  it('finds nothing on a bare machine', async () => {
    expect(await findNatsServer({ dataDir: dir, path: '' })).toBeNull();
  });
});
