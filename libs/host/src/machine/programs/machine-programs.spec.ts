import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { MachineProgram, MachinePrograms } from '@libs/domain/machine-protocol';
import { create } from 'tar';
import { ProgramFolders } from './machine-programs.js';

/** The programs come from a played gateway. */
describe('ProgramFolders', () => {
  const { signal } = new AbortController();
  const contents = new Map<string, Buffer>();
  let place: string;
  let directory: string;
  let folders: ProgramFolders;
  let requests: number;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-programs-'));
    directory = join(place, 'programs');
    requests = 0;
    const read = async (sha256: string): Promise<{ first: number; body: IncomingMessage }> => {
      requests += 1;
      const body = new IncomingMessage(new Socket());
      body.push(contents.get(sha256));
      body.push(null);
      return { first: 0, body };
    };
    folders = new ProgramFolders(directory, { read });
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  async function aProgram(entry: string, files: Record<string, string> = {}, mode = 0o644): Promise<MachineProgram> {
    const cwd = await mkdtemp(join(place, 'source-'));
    const all = { [entry]: entry, ...files };
    for (const [path, text] of Object.entries(all)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), text, { mode });
    }
    const file = join(cwd, 'packed');
    create({ cwd, file, sync: true, gzip: true, portable: true }, Object.keys(all));
    const content = await readFile(file);
    const sha256 = createHash('sha256').update(content).digest('hex');
    contents.set(sha256, content);
    return { sha256, entry };
  }

  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('lays the embedded broker over the agent, readable for the users of all nodes', async () => {
    const agent = await aProgram('agent.main.js', { 'chunk-1.js': 'of the agent' });
    const embedded = await aProgram('embedded.main.js', { 'chunk-2.js': 'x' });
    const programs = await folders.bring('embedded', { agent, embedded }, signal);

    const names = (await readdir(dirname(programs.agent))).sort();
    expect(names).toEqual(['agent.main.js', 'chunk-1.js', 'chunk-2.js', 'embedded.main.js']);
    expect(programs).toMatchObject({ node: process.execPath, binaries: {}, folders: [expect.any(String)] });
    for (const path of [directory, dirname(programs.agent)]) expect(await modeOf(path)).toBe(0o755);
    expect(await modeOf(programs.agent)).toBe(0o644);
  });

  it('brings the server of the broker and Node.js as programs, once', async () => {
    const installation: MachinePrograms = {
      agent: await aProgram('agent.main.js'),
      nats: await aProgram('nats-server-v2/nats-server', {}, 0o755),
      node: await aProgram('node-v22/bin/node', {}, 0o755),
    };
    const programs = await folders.bring('nats', installation, signal);
    await folders.bring('nats', installation, signal);

    expect(programs.binaries.nats).toMatch(/\/nats-server-v2\/nats-server$/);
    expect(programs.node).toMatch(/\/node-v22\/bin\/node$/);
    for (const path of [programs.node, programs.binaries.nats ?? '']) expect(await modeOf(path)).toBe(0o755);
    expect(requests).toBe(3);
  });

  it('finds the connectors and the libraries of iggy beside its server', async () => {
    const agent = await aProgram('agent.main.js');
    const files = {
      'iggy-connectors': 'x',
      'libiggy_connector_random_source.so': 'x',
      'libraries/libhwloc.so.15': 'x',
    };
    const iggy = await aProgram('iggy-server', files, 0o755);
    const alone = await aProgram('iggy/iggy-server', {}, 0o755);

    const { binaries } = await folders.bring('iggy', { agent, iggy }, signal);
    expect(
      Object.entries(binaries).map(([name, path]) => [name, path.replace(`${directory}/${iggy.sha256}/`, '')]),
    ).toEqual([
      ...[
        ['iggy', 'iggy-server'],
        ['iggy_connectors', 'iggy-connectors'],
        ['iggy_libraries', 'libraries'],
      ],
    ]);
    const single = await folders.bring('iggy', { agent, iggy: alone }, signal);
    expect(Object.keys(single.binaries)).toEqual(['iggy']);
    expect(single.agentArtifact).toBe(agent.sha256);
  });

  it('refuses a broker that the installation has no program of', async () => {
    const agent = await aProgram('agent.main.js');

    await expect(folders.bring('iggy', { agent }, signal)).rejects.toThrow(
      'The installation has no program of the broker iggy for the processor of this machine.',
    );
    expect(requests).toBe(0);
  });

  it('refuses an artifact without its entry, and leaves nothing behind', async () => {
    const agent = { ...(await aProgram('agent.main.js')), entry: 'other.main.js' };

    await expect(folders.bring('nats', { agent, nats: agent }, signal)).rejects.toThrow(
      'A program of the node is damaged: an artifact does not contain other.main.js.',
    );
    expect((await readdir(directory)).filter((name) => name !== 'archives')).toEqual([]);
  });

  it('deletes what neither the document nor a node uses', async () => {
    const [old, kept, current] = [await aProgram('a.js'), await aProgram('b.js'), await aProgram('c.js')];
    const nats = await aProgram('nats-server', {}, 0o755);
    const all = [];
    for (const agent of [old, kept, current]) all.push(await folders.bring('nats', { agent, nats }, signal));
    await folders.prune({ agent: current, nats }, all[1]?.folders ?? []);

    const left = await readdir(directory);
    const used = [...(all[1]?.folders ?? []), ...(all[2]?.folders ?? []), 'archives'];
    expect(left.sort()).toEqual([...new Set(used)].sort());
    expect(await readdir(join(directory, 'archives'))).toEqual([]);
  });
});
