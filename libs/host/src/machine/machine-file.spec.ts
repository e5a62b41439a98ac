import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { totalmem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeMachineFile, forgetToken, type MachineFile } from './machine-file.js';
import { MachineRefused } from './machine-refused.js';

const FILE: MachineFile = { agent_url: 'http://127.0.0.1:4001', token: '7.secret', nodes: 'processes' };

describe('machine.json', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-file-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const path = (): string => join(dir, 'machine.json');
  const write = (content: unknown): Promise<void> =>
    writeFile(path(), typeof content === 'string' ? content : JSON.stringify(content));

  it('gets the limits and the address that it leaves open, and keeps them', async () => {
    await write(FILE);
    const complete = await completeMachineFile(dir);

    expect(complete).toMatchObject({ ...FILE, address: '127.0.0.1' });
    expect(complete.memory_mib).toBeLessThan(totalmem() / 1024 ** 2);
    expect(complete.disk_gib).toBeGreaterThan(0);
    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual(complete);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await completeMachineFile(dir)).toEqual(complete);
  });

  it('follows the host at each start, when the host exists for its nodes', async () => {
    await write({ ...FILE, limits: 'host' });
    const complete = await completeMachineFile(dir);

    expect(complete.memory_mib).toBe(Math.floor(totalmem() / 1024 ** 2) - 512);
    expect(complete.disk_gib).toBeGreaterThan(0);
    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual({ ...FILE, limits: 'host' });
  });

  it('loses its token, and nothing else', async () => {
    await write({ ...FILE, memory_mib: 64 });
    await forgetToken(dir);

    expect(JSON.parse(await readFile(path(), 'utf8'))).toEqual({ ...FILE, token: '', memory_mib: 64 });
  });

  it.each([
    ['memory', { memory_mib: 1024 ** 3 }, /gives 1073741824 MiB of memory to nodes, and this host has \d+ MiB/],
    ['disk', { disk_gib: 1024 ** 3 }, /gives 1073741824 GiB of disk to nodes, and the file system of .* has \d+ GiB/],
  ])('is refused with more %s than the host has', async (_, changes, sentence) => {
    await write({ ...FILE, ...changes });

    await expect(completeMachineFile(dir)).rejects.toThrow(sentence);
  });

  it.each([
    ['{', 'malformed'],
    [{ ...FILE, nodes: 'containers' }, 'malformed'],
    [{ ...FILE, memory_mib: -1 }, 'malformed'],
    [{ ...FILE, limits: 'all' }, 'malformed'],
    [{ ...FILE, token: undefined }, 'malformed'],
    [{ ...FILE, ca_file: 'ca.pem' }, 'malformed'],
    [null, 'malformed'],
  ])('is refused as %j, without its content in the message', async (content, word) => {
    await write(content);
    const refused = await completeMachineFile(dir).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(MachineRefused);
    expect((refused as Error).message).toContain(word);
    expect((refused as Error).message).not.toContain('secret');
  });

  it('is refused when it is missing', async () => {
    await expect(completeMachineFile(dir)).rejects.toThrow('machine.json does not exist. Join the machine again.');
  });
});
