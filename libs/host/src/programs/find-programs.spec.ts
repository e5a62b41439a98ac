import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findIggyConnectors, findIggyLibraries, findIggyServer, findNatsServer } from './find-programs.js';

describe.each([
  { name: 'nats-server', find: findNatsServer, fetchedTo: 'data/packages/nats-server/usr/sbin' },
  { name: 'iggy-server', find: findIggyServer, fetchedTo: 'data/packages/iggy' },
])('the search for $name', ({ name, find, fetchedTo }) => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-find-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function aServer(folder: string, mode = 0o755): Promise<string> {
    await mkdir(join(dir, folder), { recursive: true });
    const file = join(dir, folder, name);
    await writeFile(file, '');
    await chmod(file, mode);
    return file;
  }

  it('prefers the fetched package over PATH', async () => {
    const onPath = await aServer('bin');
    const path = `/none:${join(dir, 'bin')}`;
    expect(await find({ dataDir: join(dir, 'data'), path })).toBe(onPath);

    const fetched = await aServer(fetchedTo);
    expect(await find({ dataDir: join(dir, 'data'), path })).toBe(fetched);
  });

  it('uses only the given path, and returns null when it is missing or not executable', async () => {
    const path = join(dir, 'bin');
    await aServer('bin');
    const named = await aServer('mine');
    expect(await find({ given: named, dataDir: dir, path })).toBe(named);

    expect(await find({ given: join(dir, 'none'), dataDir: dir, path })).toBeNull();
    const unrunnable = await aServer('plain', 0o644);
    expect(await find({ given: unrunnable, dataDir: dir, path })).toBeNull();
  });

  it('finds nothing on a bare machine', async () => {
    expect(await find({ dataDir: dir, path: '' })).toBeNull();
  });
});

describe('the search for what iggy-server needs', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-find-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('finds iggy-connectors beside the server, or at the given path only', async () => {
    const [beside, given] = [join(dir, 'iggy-connectors'), join(dir, 'given')];
    for (const file of [beside, given]) await writeFile(file, '', { mode: 0o755 });
    const server = join(dir, 'iggy-server');

    expect(await findIggyConnectors(undefined, server)).toBe(beside);
    expect(await findIggyConnectors(given, server)).toBe(given);
    expect(await findIggyConnectors(join(dir, 'none'), server)).toBeNull();
    expect(await findIggyConnectors(undefined, null)).toBeNull();
  });

  it('finds the unpacked libraries, and no other folder', async () => {
    expect(findIggyLibraries(dir)).toBeNull();
    const folder = join(dir, 'packages/libhwloc15/usr/lib');
    await mkdir(join(folder, 'x86_64-linux-gnu'), { recursive: true });
    await writeFile(join(folder, 'README'), '');

    expect(findIggyLibraries(dir)).toBe(join(folder, 'x86_64-linux-gnu'));
  });
});
