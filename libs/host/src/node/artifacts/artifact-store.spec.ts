import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, skippedSuite } from '@libs/testing';
import { build } from 'esbuild';
import { create } from 'tar';
import { ArtifactServer } from '../../../test/node/artifact-server.fixture.js';
import { GatewayError } from '../agent-error.js';
import { ArtifactDamaged } from './artifact.js';
import { ArtifactStore } from './artifact-store.js';

const MIB = 1024 * 1024;
/** Its archive is much smaller. */
const packable = (bytes: number): Buffer => Buffer.concat([randomBytes(MIB / 8), Buffer.alloc(bytes)]);
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
const describeWithDisk = mayMount ? describe : skippedSuite('a small disk cannot be mounted', 'Run the tests as root');

describe('ArtifactStore', () => {
  const content = randomBytes(1000);
  const { signal } = new AbortController();
  let server: ArtifactServer;
  let place: string;
  let directory: string;
  let store: ArtifactStore;

  beforeEach(async () => {
    server = await ArtifactServer.start();
    place = await mkdtemp(join(tmpdir(), 'landlord-store-'));
    directory = join(place, 'store');
    store = new ArtifactStore(directory, server.client);
  });
  afterEach(async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  const names = (): string[] => (existsSync(directory) ? readdirSync(directory).sort() : []);

  /** A packed folder with these files. */
  async function archiveOf(files: Record<string, string | Buffer>, more: string[] = []): Promise<Buffer> {
    const cwd = await mkdtemp(join(place, 'source-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(cwd, path, '..'), { recursive: true });
      await writeFile(join(cwd, path), text);
    }
    const file = join(place, 'packed.tar.gz');
    create({ cwd, file, sync: true, gzip: true, portable: true, preservePaths: true }, [
      ...more,
      ...Object.keys(files),
    ]);
    return readFile(file);
  }

  describe('fetches an artifact without a size', () => {
    it('whole, and again without a request', async () => {
      const { sha256 } = server.add(content);

      expect(await readFile(await store.fetch({ sha256 }, signal))).toEqual(content);
      await store.fetch({ sha256 }, signal);
      expect(server.asked).toEqual(['']);
    });

    it('over a cut, from the place of the cut', async () => {
      const { sha256 } = server.add(content);
      server.cutAfter = 400;
      server.refusesPastTheEnd = true;

      expect(await readFile(await store.fetch({ sha256 }, signal))).toEqual(content);
      expect(server.asked).toEqual(['', 'bytes=400-', 'bytes=800-', 'bytes=1000-']);
    });

    it('whose part was whole before a crash', async () => {
      const { sha256 } = server.add(content);
      await mkdir(directory);
      await writeFile(join(directory, `${sha256}.part`), content);
      server.refusal = 416;

      expect(await readFile(await store.fetch({ sha256 }, signal))).toEqual(content);
    });

    it('of another content: nothing stays', async () => {
      const { sha256 } = server.add(content, Buffer.from('other'));

      await expect(store.fetch({ sha256 }, signal)).rejects.toThrow(ArtifactDamaged);
      expect(names()).toEqual([]);
    });
  });

  describe('fetches', () => {
    it('an artifact once, which appears under its hash', async () => {
      const artifact = server.add(content);

      const path = await store.fetch(artifact, signal);

      expect(path).toBe(join(directory, artifact.sha256));
      expect(await readFile(path)).toEqual(content);
      expect(await store.fetch(artifact, signal)).toBe(path);
      expect(server.asked).toEqual(['']);
      expect(names()).toEqual([artifact.sha256]);
    });

    it('with one request for calls at the same time', async () => {
      const artifact = server.add(content);

      await Promise.all([store.fetch(artifact, signal), store.fetch(artifact, signal), store.fetch(artifact, signal)]);

      expect(server.asked).toEqual(['']);
    });

    it('the rest after each cut', async () => {
      const artifact = server.add(content);
      server.cutAfter = 400;

      expect(await readFile(await store.fetch(artifact, signal))).toEqual(content);
      expect(server.asked).toEqual(['', 'bytes=400-', 'bytes=800-']);
    });

    it('from the start when the gateway does not continue', async () => {
      const artifact = server.add(content);
      await mkdir(directory);
      await writeFile(join(directory, `${artifact.sha256}.part`), content.subarray(0, 300));
      server.ignoresRanges = true;

      expect(await readFile(await store.fetch(artifact, signal))).toEqual(content);
      expect(server.asked).toEqual(['bytes=300-']);
    });

    it('nothing more when a cut brought nothing, and continues at the next call', async () => {
      const artifact = server.add(content);
      await mkdir(directory);
      await writeFile(join(directory, `${artifact.sha256}.part`), content.subarray(0, 100));
      server.cutAfter = 0;
      await expect(store.fetch(artifact, signal)).rejects.toThrow();
      expect(names()).toEqual([`${artifact.sha256}.part`]);
      server.cutAfter = null;

      expect(await readFile(await store.fetch(artifact, signal))).toEqual(content);
      expect(server.asked).toEqual(['bytes=100-', 'bytes=100-']);
    });

    it.each([404, 401, 416])('nothing when the gateway answers %i', async (status) => {
      const artifact = server.add(content);
      server.refusal = status;

      await expect(store.fetch(artifact, signal)).rejects.toThrow(GatewayError);
      expect(names()).toEqual([]);
      expect(server.asked).toHaveLength(1);
    });

    it('nothing at 429, and says when to come again', async () => {
      const artifact = server.add(content);
      server.refusal = 429;

      await expect(store.fetch(artifact, signal)).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 });
    });

    it.each([
      ['another content', randomBytes(1000)],
      ['a longer content', Buffer.concat([content, content])],
    ])('nothing of %s, and leaves nothing', async (_, sent) => {
      const artifact = server.add(content, sent);

      await expect(store.fetch(artifact, signal)).rejects.toThrow(ArtifactDamaged);
      expect(names()).toEqual([]);
    });

    it('a content that is cut short never under its hash', async () => {
      const artifact = server.add(content, content.subarray(0, 600));

      await expect(store.fetch(artifact, signal)).rejects.toThrow('ended an artifact early');
      expect(names()).toEqual([`${artifact.sha256}.part`]);
    });

    it('an artifact again after the part on the disk was wrong', async () => {
      const artifact = server.add(content);
      await mkdir(directory);
      await writeFile(join(directory, `${artifact.sha256}.part`), randomBytes(300));
      await expect(store.fetch(artifact, signal)).rejects.toThrow(ArtifactDamaged);

      expect(await readFile(await store.fetch(artifact, signal))).toEqual(content);
    });

    it('until the signal aborts', async () => {
      const artifact = server.add(content);
      const end = new AbortController();
      server.stallAfter = 100;
      const fetched = store.fetch(artifact, end.signal);
      await eventually('the part is here', () => names().includes(`${artifact.sha256}.part`));

      end.abort();

      await expect(fetched).rejects.toThrow('abort');
    });
  });

  describe('unpacks', () => {
    it('an artifact once, into a folder that appears whole', async () => {
      const artifact = server.add(await archiveOf({ 'agent.main.js': 'one', 'gate/iggy-gate.main.js': 'two' }));

      const folder = await store.unpacked(artifact, signal);

      expect(await readFile(join(folder, 'gate/iggy-gate.main.js'), 'utf8')).toBe('two');
      expect(await store.unpacked(artifact, signal)).toBe(folder);
      expect(names()).toEqual([artifact.sha256, `${artifact.sha256}.d`]);
    });

    it('nothing of an archive with a path that escapes', async () => {
      const artifact = server.add(await archiveOf({ a: 'a', '../escaped': 'after' }));
      await rm(join(place, 'escaped'));

      await expect(store.unpacked(artifact, signal)).rejects.toThrow(ArtifactDamaged);
      expect(names()).toEqual([artifact.sha256]);
      expect(existsSync(join(place, 'escaped'))).toBe(false);
    });

    it('nothing of an archive with an absolute path', async () => {
      const outside = join(place, 'outside');
      await writeFile(outside, 'after');
      const artifact = server.add(await archiveOf({ a: 'a' }, [outside]));
      await rm(outside);

      await expect(store.unpacked(artifact, signal)).rejects.toThrow(ArtifactDamaged);
      expect(names()).toEqual([artifact.sha256]);
      expect(existsSync(outside)).toBe(false);
    });

    it('no link', async () => {
      const cwd = await mkdtemp(join(place, 'links-'));
      await symlink(place, join(cwd, 'link'));
      await writeFile(join(cwd, 'file'), 'file');
      create({ cwd, file: join(place, 'links.tar.gz'), sync: true, gzip: true }, ['link', 'file']);
      const artifact = server.add(await readFile(join(place, 'links.tar.gz')));

      expect(await readdir(await store.unpacked(artifact, signal))).toEqual(['file']);
    });

    it.each([
      ['was cut before it was named', (whole: Buffer) => whole.subarray(0, whole.length - 20)],
      ['is no archive', () => randomBytes(100)],
    ])('nothing of an archive that %s, and leaves no folder', async (_, change) => {
      const artifact = server.add(change(await archiveOf({ file: randomBytes(5000) })));

      await expect(store.unpacked(artifact, signal)).rejects.toThrow(ArtifactDamaged);
      expect(names()).toEqual([artifact.sha256]);
    });

    it('files over another folder, the entry last', async () => {
      const program = join(place, 'program');
      await mkdir(program);
      await writeFile(join(program, 'agent.main.js'), 'agent');
      const artifact = server.add(await archiveOf({ 'plugins/a-sink.js': 'entry', 'chunk-1.js': 'chunk' }));

      await store.layOver(artifact, program, 'plugins/a-sink.js', signal);

      expect((await readdir(program, { recursive: true })).sort()).toEqual(
        ['agent.main.js', 'chunk-1.js', 'plugins', 'plugins/a-sink.js'].sort(),
      );
    });

    it('nothing over another folder when a file of the artifact escapes', async () => {
      const program = join(place, 'program');
      await mkdir(program);
      const artifact = server.add(await archiveOf({ 'chunk-1.js': 'chunk', '../escaped': 'x' }));

      await expect(store.layOver(artifact, program, 'chunk-1.js', signal)).rejects.toThrow(ArtifactDamaged);
      expect(await readdir(program)).toEqual([]);
    });
  });

  it('prunes what no document names', async () => {
    const [old, kept] = [server.add(await archiveOf({ a: 'old' })), server.add(await archiveOf({ a: 'kept' }))];
    for (const artifact of [old, kept]) await store.unpacked(artifact, signal);
    await mkdir(join(directory, '.unpack-left'));
    await writeFile(join(directory, `${'0'.repeat(64)}.part`), 'left');

    await store.prune([kept]);

    expect(names()).toEqual([kept.sha256, `${kept.sha256}.d`]);
  });

  describe('after kill -9', () => {
    let child: ChildProcess;

    /** Another process does this with a store in the same directory, until it is killed. */
    async function killedDuring(call: string, isInside: () => boolean): Promise<void> {
      const contents = `
        import { request } from 'node:http';
        import { ArtifactClient } from './artifact-client.js';
        import { ArtifactStore } from './artifact-store.js';
        const client = new ArtifactClient(new URL('${server.url}'), { request }, () => 'Bearer 5.secret');
        await new ArtifactStore('${directory}', client).${call};`;
      const outfile = join(place, 'child.mjs');
      const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' as const };
      await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
      child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'ignore', 'inherit'] });
      const ended = once(child, 'exit');
      await eventually('it is inside', () => isInside() || child.exitCode !== null);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
    }

    const call = (name: string, artifact: object): string =>
      `${name}(${JSON.stringify(artifact)}, new AbortController().signal)`;

    it('of a fetch: continues, and checks the whole', async () => {
      const large = randomBytes(4 * MIB);
      const artifact = server.add(large);
      server.stallAfter = MIB;
      const part = join(directory, `${artifact.sha256}.part`);
      await killedDuring(call('fetch', artifact), () => existsSync(part) && statSync(part).size > 0);
      server.stallAfter = null;

      expect((await readFile(await store.fetch(artifact, signal))).equals(large)).toBe(true);
      expect(names()).toEqual([artifact.sha256]);
      expect(server.asked).toEqual(['', expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    });

    it('of the unpacking: no folder under the name, and the next call unpacks the whole', async () => {
      const files = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}`, `file ${at}`]));
      const artifact = server.add(await archiveOf(files));
      await killedDuring(call('unpacked', artifact), () => names().some((name) => name.startsWith('.unpack-')));
      expect(names()).not.toContain(`${artifact.sha256}.d`);

      expect(await readdir(await store.unpacked(artifact, signal))).toHaveLength(500);
      await store.prune([artifact]);
      expect(names()).toEqual([artifact.sha256, `${artifact.sha256}.d`]);
    });
  });

  describeWithDisk('on a full disk', () => {
    beforeEach(async () => {
      await mkdir(directory);
      const options = ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'tmpfs', directory];
      expect(spawnSync('mount', options).status).toBe(0);
    });
    afterEach(() => void spawnSync('umount', ['-l', directory]));

    it('leaves nothing of a fetch, and fetches what has space', async () => {
      const [large, small] = [server.add(randomBytes(3 * MIB)), server.add(randomBytes(MIB))];

      await expect(store.fetch(large, signal)).rejects.toMatchObject({ code: 'ENOSPC' });

      expect(names()).toEqual([]);
      await store.fetch(small, signal);
      expect(names()).toEqual([small.sha256]);
    });

    it('leaves nothing of the unpacking, and unpacks what has space', async () => {
      const large = server.add(await archiveOf({ large: packable(3 * MIB) }));
      const small = server.add(await archiveOf({ small: packable(MIB) }));

      await expect(store.unpacked(large, signal)).rejects.toMatchObject({ code: 'ENOSPC' });

      expect(names()).toEqual([large.sha256]);
      expect(await readdir(await store.unpacked(small, signal))).toEqual(['small']);
    });
  });
});
