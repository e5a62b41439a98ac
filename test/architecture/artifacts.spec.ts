import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, extract, list } from 'tar';
import ts from 'typescript';
import { writeArtifacts, type WrittenArtifact } from '../../scripts/artifacts/artifacts.mjs';
import { ROOT } from './sources/sources.js';

/** Packages that an artifact may lack: a client loads them for a feature that no connector uses. */
const OPTIONAL = ['@aws-sdk/signature-v4-crt'];
const PLUGINS = 'libs/host/src/connectors/plugins';

describe('npm run artifacts', () => {
  let here: string;
  let folder: string;
  let artifacts: WrittenArtifact[];
  beforeAll(async () => {
    here = mkdtempSync(join(tmpdir(), 'landlord-artifacts-'));
    folder = join(here, 'artifacts');
    artifacts = await writeArtifacts(folder);
  });
  afterAll(() => rmSync(here, { recursive: true, force: true }));

  /** Writes what `writeArtifacts` writes, with the bundles of `folder` instead of new ones. */
  const write = (to: string, archives: [name: string, file: string][] = []): Promise<WrittenArtifact[]> =>
    writeArtifacts(to, archives, (work) => {
      for (const { sha256 } of artifacts) copyFileSync(join(folder, sha256), join(work, sha256));
      return artifacts;
    });
  const named = (name: string): WrittenArtifact[] => artifacts.filter((one) => one.name === name);
  const filesOf = ({ sha256 }: WrittenArtifact): string[] => {
    const paths: string[] = [];
    list({ file: join(folder, sha256), sync: true, onReadEntry: ({ path }) => paths.push(path) });
    return paths;
  };

  it('writes the same files again', async () => {
    const again = join(here, 'again');

    expect(await writeArtifacts(again)).toEqual(artifacts);
    expect(readdirSync(again).sort()).toEqual(readdirSync(folder).sort());
  });

  it('keeps the last three earlier agents with their parts, the newest first', async () => {
    const later = join(here, 'later');
    const parts = ['agent', 'embedded'];
    const replaced: string[] = [];
    let written = await write(later);
    for (const release of ['1', '2', '3', '4']) {
      const older = (sha256: string): string => createHash('sha256').update(`${release} ${sha256}`).digest('hex');
      const aged = written.map((one) => {
        if (one.superseded || !parts.includes(one.name)) return one;
        // The part stays the same.
        if (one.over !== null) return { ...one, over: older(one.over) };
        renameSync(join(later, one.sha256), join(later, older(one.sha256)));
        return { ...one, sha256: older(one.sha256) };
      });
      replaced.unshift(aged.find(({ name, superseded }) => name === 'agent' && !superseded)?.sha256 ?? '');
      writeFileSync(join(later, 'manifest.json'), JSON.stringify({ artifacts: aged }));
      written = await write(later);
    }

    const agents = written.filter(({ name }) => name === 'agent');
    expect(agents.map(({ sha256 }) => sha256)).toEqual([named('agent')[0]?.sha256, ...replaced.slice(0, 3)]);
    expect(agents.map(({ superseded = false }) => superseded)).toEqual([false, true, true, true]);
    for (const { sha256 } of agents) {
      const over = written.filter((one) => one.name === 'embedded' && one.over === sha256);
      expect(over).toHaveLength(named('embedded').length);
    }
    expect(readdirSync(later).sort()).toEqual([
      ...new Set([...written.map(({ sha256 }) => sha256), 'manifest.json'].sort()),
    ]);
  });

  it('stores each artifact under its sha256, and lists all in the manifest', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

    expect(manifest).toEqual({ artifacts });
    expect(readdirSync(folder).sort()).toEqual([...artifacts.map(({ sha256 }) => sha256), 'manifest.json'].sort());
    for (const { sha256, bytes, entry, ...artifact } of artifacts) {
      const content = readFileSync(join(folder, sha256));
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      expect(content.length).toBe(bytes);
      expect(filesOf({ sha256, bytes, entry, ...artifact })).toContain(entry);
    }
  });

  it('packs the agent and the gates in at most 500 KB, without a native module', () => {
    const [agent] = named('agent');

    expect(agent?.bytes).toBeLessThanOrEqual(500_000);
    expect(filesOf(agent as WrittenArtifact)).toEqual(
      expect.arrayContaining(['agent.main.js', 'nats-gate.main.js', 'gate/iggy-gate.main.js', 'connectors.main.js']),
    );
    expect(filesOf(agent as WrittenArtifact).filter((path) => path.endsWith('.node'))).toEqual([]);
  });

  it('packs the embedded broker with the module of each processor', () => {
    expect(named('embedded').map(({ platform, arch }) => `${platform} ${arch}`)).toEqual(['linux arm64', 'linux x64']);
    for (const broker of named('embedded')) expect(filesOf(broker)).toContain('classic-level.node');
    expect(new Set(named('embedded').map(({ sha256 }) => sha256)).size).toBe(2);
  });

  it('packs the native module of the connectors apart, for nodes without the embedded broker', () => {
    const stores = named('connectors-store');

    expect(stores.map(({ platform, arch }) => `${platform} ${arch}`)).toEqual(['linux arm64', 'linux x64']);
    for (const store of stores) expect(filesOf(store)).toEqual(['classic-level.node']);
  });

  it('packs each plugin of the connectors apart', () => {
    const plugins = readdirSync(join(ROOT, PLUGINS), { recursive: true, encoding: 'utf8' })
      .map((path) => /([\w]+-(sink|source))\.ts$/.exec(path)?.[1])
      .filter((name) => name !== undefined);
    const connectors = artifacts.filter(({ name }) => name.startsWith('connector-'));

    expect(connectors.map(({ name }) => name).sort()).toEqual(plugins.map((name) => `connector-${name}`).sort());
    expect(plugins.length).toBeGreaterThan(10);
  });

  it('lays the other bundles over the agent: together they import only Node and each other', () => {
    const [agent] = named('agent');
    const over = artifacts.filter((one) => one.over !== null);
    expect(over.every((one) => one.over === agent?.sha256)).toBe(true);
    expect(over).toHaveLength(artifacts.length - 1);
    for (const layer of over) {
      const program = join(here, layer.sha256);
      mkdirSync(program);
      for (const { sha256 } of [agent as WrittenArtifact, layer])
        extract({ cwd: program, file: join(folder, sha256), sync: true });
      expect({ [layer.name]: missingImports(program) }).toEqual({ [layer.name]: [] });
    }
  });

  it('exports the names of CommonJS packages that are loaded on demand', async () => {
    const program = join(here, 'names');
    mkdirSync(program);
    extract({ cwd: program, file: join(folder, named('agent')[0]?.sha256 ?? ''), sync: true });
    const chunks = readdirSync(program).filter((path) => path.startsWith('chunk-'));
    const exported = await Promise.all(
      chunks.map(async (path) => Object.keys((await import(/* @vite-ignore */ join(program, path))) as object)),
    );

    for (const name of ['ZipFile', 'fromBufferPromise', 'extract', 'jwtAuthenticator'])
      expect({ [name]: exported.flat().includes(name) }).toEqual({ [name]: true });
  });

  describe('with archives', () => {
    const archive = (name: string, ...paths: string[]): string => {
      const cwd = mkdtempSync(join(here, 'archive-'));
      for (const path of paths) {
        mkdirSync(join(cwd, path, '..'), { recursive: true });
        writeFileSync(join(cwd, path), path);
      }
      create({ cwd, file: join(cwd, name), sync: true, gzip: true, preservePaths: true }, paths);
      return join(cwd, name);
    };
    const nats = 'nats-server-v2.12.1-linux-arm64';

    it('adds them unchanged, and keeps them at the next call', async () => {
      const own = join(here, 'own');
      const node = archive('node-v20.20.2-linux-x64.tar.gz', 'node-v20.20.2-linux-x64/bin/node');
      const broker = archive(`${nats}.tar.gz`, `${nats}/nats-server`);
      await write(own, [['node', node]]);

      const all = await write(own, [['nats', broker]]);

      expect(all.filter(({ platform, over }) => platform === 'linux' && over === null)).toMatchObject([
        { name: 'nats', arch: 'arm64', version: '2.12.1', entry: `${nats}/nats-server` },
        { name: 'node', arch: 'x64', version: '20.20.2', entry: 'node-v20.20.2-linux-x64/bin/node' },
      ]);
      const { sha256 = '' } = all.find(({ name }) => name === 'node') ?? {};
      expect(readFileSync(join(own, sha256))).toEqual(readFileSync(node));
    });

    it('replaces the archive of the same processor, and removes its file', async () => {
      const own = join(here, 'replaced');
      const first = await write(own, [['nats', archive(`${nats}.tar.gz`, 'nats-server')]]);

      const later = await write(own, [['nats', archive('nats-2.13.0-arm64.tar.gz', 'nats-server', 'x')]]);

      expect(later.filter(({ name }) => name === 'nats')).toMatchObject([{ version: '2.13.0' }]);
      expect(readdirSync(own)).not.toContain(first.find(({ name }) => name === 'nats')?.sha256);
    });

    it.each([
      ['another program', `${nats}.tar.gz`, ['bin/other'], 'does not contain nats-server'],
      ['no processor in its name', 'nats-server-v2.12.1.tar.gz', ['nats-server'], 'the name must contain'],
      ['no release in its name', 'nats-server-linux-arm64.tar.gz', ['nats-server'], 'the name must contain'],
      ['another system', 'nats-server-v2.12.1-darwin-arm64.tar.gz', ['nats-server'], 'the name must contain'],
      ['another format', `${nats}.tar.xz`, ['nats-server'], 'ends with .tar.gz'],
      ['a path that escapes', `${nats}.tar.gz`, ['nats-server', '../escaped'], 'leaves the folder'],
    ])('refuses one with %s, and writes nothing', async (_, name, paths, reason) => {
      const own = join(here, `refused ${name} ${paths.length}`);

      await expect(write(own, [['nats', archive(name, ...paths)]])).rejects.toThrow(reason);
      expect(readdirSync(here)).not.toContain(own);
    });

    it.each([
      ['without its server', 'iggy-connectors', 'does not contain iggy-server'],
      ['whose server is no program', 'iggy-server', 'is not a program for Linux'],
    ])('refuses a folder with iggy %s, and writes nothing', async (_, name, reason) => {
      const [own, iggy] = [join(here, `refused ${name}`), mkdtempSync(join(here, 'iggy-'))];
      writeFileSync(join(iggy, name), 'no program');

      await expect(write(own, [['iggy', iggy]])).rejects.toThrow(reason);
      expect(existsSync(own)).toBe(false);
    });

    it('refuses one that was cut short', async () => {
      const whole = archive(`${nats}.tar.gz`, 'nats-server');
      writeFileSync(whole, readFileSync(whole).subarray(0, 40));

      await expect(write(join(here, 'cut'), [['nats', whole]])).rejects.toThrow('cannot be read');
    });
  });
});

/** Imports that name neither a built-in module nor a file of the folder. Plugins of other layers may be missing. */
function missingImports(program: string): string[] {
  const files = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  return files
    .filter((path) => !path.startsWith('page/'))
    .flatMap((path) => importsOf(readFileSync(join(program, path), 'utf8')).map((name) => ({ path, name })))
    .filter(({ path, name }) =>
      name.startsWith('.')
        ? !files.includes(join(path, '..', name)) && !/(plugins\/|reseal-data)/.test(name)
        : ![...builtinModules, ...OPTIONAL].includes(name.replace(/^node:/, '')),
    )
    .map(({ path, name }) => `${path} ${name}`);
}

const importsOf = (text: string): string[] => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
