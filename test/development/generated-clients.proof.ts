import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy } from './copy.fixture.js';

const SCRIPT = 'scripts/generate-if-stale.mjs';
const FOLDERS = ['sdk', 'cli', 'console'].map((name) => `packages/${name}/src/generated`);
const API = 'packages/sdk/src/generated/api.ts';
/** Imports the generator with a list of what it reads. */
const TRACED = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const read = fs.readFileSync;
  const paths = [];
  fs.readFileSync = (path, ...options) => {
    paths.push(String(path));
    return read(path, ...options);
  };
  syncBuiltinESMExports();
  const { INPUTS, TARGETS } = await import('./${SCRIPT}');
  const { writeClients } = await import('./scripts/clients/clients.mjs');
  await writeClients(TARGETS);
  console.log(JSON.stringify({ inputs: INPUTS, paths }));
`;

/** The compiler of Nest checks every type, and twice here. */
const COMPILED_MS = 600_000;

describe('The generated clients', () => {
  let copy: Copy;
  beforeAll(() => {
    copy = new Copy();
  });
  beforeEach(() => {
    copy.reset();
    generate();
  });
  afterAll(() => copy.remove());

  it('are not in git, and are made from the descriptions in the same way each time', () => {
    const first = texts();
    remove(...FOLDERS, 'dist');
    generate();

    expect(Object.keys(first).length).toBeGreaterThan(9);
    expect(texts()).toEqual(first);
    expect(copy.must('git', 'ls-files', '-co', '--exclude-standard', ...FOLDERS)).toBe('');
  });

  it('keep the times of files that stay the same', () => {
    const before = times();
    remove('dist');
    generate();

    expect(times()).toEqual(before);
  });

  it('follow a change of a description', () => {
    const path = 'contract/openapi.main-api.json';
    write(path, read(path).replaceAll('"roles.get"', '"roles.read"'));
    generate();

    expect(read(API)).toMatch(/^ {4}read: Method<Main\.RolesRead/m);
  });

  it('are whole again after a file was lost or changed, or came from elsewhere', () => {
    const before = texts();
    remove(API);
    write('packages/cli/src/generated/verbs.ts', '');
    write('packages/console/src/generated/old.ts', 'export {};\n');
    generate();

    expect(texts()).toEqual(before);
  });

  it('are made once for two commands at the same time', async () => {
    const before = texts();
    remove(...FOLDERS);
    const codes = await Promise.all([inBackground(), inBackground()]);

    expect(codes).toEqual([0, 0]);
    expect(texts()).toEqual(before);
  });

  it('are made again when something changes that they are made from', () => {
    const { inputs, paths } = JSON.parse(copy.must('node', '--input-type=module', '-e', TRACED)) as {
      inputs: string[];
      paths: string[];
    };
    const sources = paths
      .filter((path) => path.startsWith(copy.directory) && !path.includes('node_modules'))
      .map((path) => path.slice(copy.directory.length + 1))
      .filter((path) => !FOLDERS.some((folder) => path.startsWith(folder)));

    expect(sources).toContain('contract/openapi.supervisor.json');
    expect(sources.filter((path) => !inputs.includes(path))).toEqual([]);
  });

  it.each([
    ['the descriptions', ['contract']],
    ['the generator', ['node_modules']],
    ['the scripts', ['scripts']],
  ])('are left out, without a failure, by an installation without %s', (_what, missing) => {
    remove(...FOLDERS, ...missing);
    const { status, stdout, stderr } = copy.run('npm', 'run', '--silent', 'postinstall');
    copy.link();

    expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
    expect(Object.keys(texts())).toEqual([]);
  });

  it(
    'are made before an app that uses them is compiled by the Nest CLI',
    () => {
      write(
        'apps/main-api/src/client.ts',
        `import { createClient } from '@landlord/sdk';\nexport const client = createClient;\n`,
      );
      remove(...FOLDERS);
      copy.npx('nest', 'build', 'main-api');

      expect(read('dist/apps/main-api/src/client.js')).toContain('createClient');
    },
    COMPILED_MS,
  );

  const generate = (): string => copy.must('node', SCRIPT);
  const at = (path: string): string => join(copy.directory, path);
  const read = (path: string): string => readFileSync(at(path), 'utf8');

  function write(path: string, text: string): void {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  }

  function remove(...paths: string[]): void {
    for (const path of paths) rmSync(at(path), { recursive: true, force: true });
  }

  const files = (): string[] =>
    FOLDERS.flatMap((folder) => {
      const above = readdirSync(at(`${folder}/..`));
      return above.includes('generated') ? readdirSync(at(folder)).map((name) => `${folder}/${name}`) : [];
    });
  const texts = (): Record<string, string> => Object.fromEntries(files().map((path) => [path, read(path)]));
  const times = (): Record<string, number> =>
    Object.fromEntries(files().map((path) => [path, statSync(at(path)).mtimeMs]));

  async function inBackground(): Promise<number | null> {
    const child = spawn(process.execPath, [at(SCRIPT)], { stdio: ['ignore', 'inherit', 'inherit'] });
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }
});
