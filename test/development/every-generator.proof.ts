import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Copy } from './copy.fixture.js';

/** Forty calls of the Nest CLI, four builds and every check. */
const PATIENCE_MS = 1_500_000;
const APPS = ['main-api', 'supervisor'];
/** Rules that read programs, charts and recordings, which no generator changes. */
const UNTOUCHED_RULES = ['artifacts', 'compose', 'monitoring', 'previous-release'];

/** What the generator `kind` creates for a name, below the folder that it works in. */
interface Row {
  files: (name: string) => string[];
  /** The folder, for generators of the whole repository. Every other generator runs for both apps. */
  place?: string;
}

const element = (suffix: string, hasSpec = true): Row => ({
  files: (name) => {
    const stem = suffix === '' ? name : `${name}.${suffix}`;
    return [`${name}/${stem}.ts`, ...(hasSpec ? [`${name}/${stem}.spec.ts`] : []), ...room(name)];
  },
});
const room = (name: string): string[] => [`${name}/${name}.module.ts`, `${name}/index.ts`];
const NEW_APP: Row = {
  place: 'apps',
  files: (name) =>
    ['main.ts', 'config.ts', `${name}.module.ts`, `${name}.module.spec.ts`].map((file) => `${name}/src/${file}`),
};
const NOTHING: Row = { place: 'apps', files: () => [] };

/** Each generator that `nest g --help` lists. */
const ROWS: Record<string, Row> = {
  application: NEW_APP,
  class: element(''),
  configuration: NOTHING,
  controller: element('controller'),
  decorator: element('decorator'),
  filter: element('filter'),
  gateway: element('gateway'),
  guard: element('guard'),
  interceptor: element('interceptor'),
  interface: element('interface', false),
  library: {
    place: 'libs',
    files: (name) =>
      ['index.ts', `${name}.module.ts`, `${name}.service.ts`, `${name}.service.spec.ts`].map(
        (file) => `${name}/src/${file}`,
      ),
  },
  middleware: element('middleware'),
  module: { files: room },
  pipe: element('pipe'),
  provider: element(''),
  resolver: element('resolver'),
  resource: { files: (name) => [`${name}/${name}.controller.ts`, `${name}/${name}.service.ts`, ...room(name)] },
  service: element('service'),
  'sub-app': NEW_APP,
  upgrade: NOTHING,
};
/** A plural noun, as a resource needs, and no name of an existing folder. The tables of both apps are in one database. */
const nameOf = (kind: string, app = 'main-api'): string => `${kind}-${app === 'main-api' ? 'lamps' : 'bulbs'}`;
const NEW_APPS = ['application', 'sub-app'].map((kind) => nameOf(kind));
/** The generated app and library are projects like the others. */
const IN_NEW_PROJECTS = [
  ['service', 'lamps', '-p', nameOf('sub-app')],
  ['controller', 'bulbs', '-p', nameOf('sub-app')],
  ['service', 'lamps', '-p', nameOf('library')],
];

describe('Every generator that the Nest CLI lists', () => {
  let copy: Copy;
  beforeAll(() => {
    copy = new Copy();
  });
  afterAll(() => copy.remove());

  it('is known to this test', () => {
    const help = copy.npx('nest', 'generate', '--help');

    expect(listedIn(help)).toEqual(Object.keys(ROWS));
  });

  it(
    'creates its files, and they pass every check untouched',
    () => {
      for (const [kind, row] of Object.entries(ROWS))
        for (const app of row.place === undefined ? APPS : ['main-api']) generates(kind, row, app);
      for (const args of IN_NEW_PROJECTS) expect(copy.generate(...args)).not.toContain('Error');
      const generated = copy.changed();
      const sources = generated.filter((file) => file.endsWith('.ts'));
      const specs = sources.filter((file) => file.endsWith('.spec.ts'));
      copy.must('node', 'scripts/build.mjs');
      for (const app of NEW_APPS) startsUntilItsSettings(app);
      copy.must('npm', 'run', '--silent', 'golden');

      copy.npx('tsc', '-p', 'tsconfig.json', '--noEmit');
      copy.npx('prettier', '--check', ...generated, 'README.md', 'docs/architecture.md', '.dependency-cruiser.mjs');
      copy.npx('eslint', '--max-warnings', '0', ...sources);
      copy.must('npm', 'run', '--silent', 'deps');
      copy.must('npm', 'run', '--silent', 'words');
      copy.test(...rules());
      copy.test(...specs);
      for (const project of [...APPS, ...NEW_APPS, nameOf('library')]) copy.npx('nest', 'build', project);
      for (const app of NEW_APPS) startsUntilItsSettings(app);

      expect(specs.length).toBeGreaterThan(28);
      expect(sources).toContain('apps/main-api/src/guard-lamps/guard-lamps.guard.ts');
    },
    PATIENCE_MS,
  );

  it('that creates a library makes it reachable by its name from an app', () => {
    const spec = 'apps/main-api/src/library-lamps-are-reachable.spec.ts';
    writeFileSync(
      join(copy.directory, spec),
      `import { LibraryLampsService } from '@libs/library-lamps';\n` +
        `it('is imported', () => expect(new LibraryLampsService()).toBeDefined());\n`,
    );

    copy.test(spec);
  });

  function generates(kind: string, { files, place }: Row, app: string): void {
    const name = nameOf(kind, app);
    const output = copy.generate(kind, name, '-p', app);
    const folder = place ?? `apps/${app}/src`;
    const missing = files(name).filter((file) => !existsSync(join(copy.directory, folder, file)));
    expect({ kind, missing, output: missing.length > 0 ? output : '' }).toEqual({ kind, missing: [], output: '' });
    expect(output).not.toContain('Error');
  }

  /** Without settings, the built app names the first one that it needs. */
  function startsUntilItsSettings(app: string): void {
    const { status, stderr } = copy.run('env', '-i', process.execPath, `dist/apps/${app}/src/main.js`);
    expect(stderr).toContain('DATABASE_URL: is required');
    expect(status).not.toBe(0);
  }

  const rules = (): string[] =>
    readdirSync(join(copy.directory, 'test/architecture'))
      .filter((file) => file.endsWith('.spec.ts') && !UNTOUCHED_RULES.some((name) => file === `${name}.spec.ts`))
      .map((file) => `test/architecture/${file}`);
});

describe('A generator of an element', () => {
  let copy: Copy;
  beforeAll(() => {
    copy = new Copy();
  });
  afterEach(() => copy.reset());
  afterAll(() => copy.remove());

  it.each([
    [
      ['guard', 'lamps', 'divisions'],
      ['divisions/lamps/lamps.guard.spec.ts', 'divisions/lamps/lamps.guard.ts'],
    ],
    [
      ['guard', 'divisions/lamps'],
      ['divisions/lamps/lamps.guard.spec.ts', 'divisions/lamps/lamps.guard.ts'],
    ],
    [
      ['guard', 'lamps', 'divisions', '--flat'],
      ['divisions/lamps.guard.spec.ts', 'divisions/lamps.guard.ts'],
    ],
    [
      ['guard', 'lamps', '--flat'],
      ['lamps.guard.spec.ts', 'lamps.guard.ts'],
    ],
    [['guard', 'lamps', 'divisions', '--flat', '--no-spec'], ['divisions/lamps.guard.ts']],
    [['pipe', 'StreetLamps', 'divisions', '--flat', '--no-spec'], ['divisions/street-lamps.pipe.ts']],
    [['guard', 'lamps', 'divisions', '--dry-run'], []],
  ])('follows its options: nest g %j', (args, files) => {
    const output = copy.generate(...args, '-p', 'main-api');

    expect(output).not.toContain('Error');
    expect(copy.changed().sort()).toEqual(files.map((file) => `apps/main-api/src/${file}`));
  });

  it('registers a provider in the nearest module, unless told not to', () => {
    copy.generate('provider', 'lamps', 'divisions', '-p', 'main-api', '--no-spec');
    copy.generate('provider', 'bulbs', 'divisions', '-p', 'main-api', '--no-spec', '--skip-import');

    const changes = copy.must('git', 'diff', 'apps/main-api/src/divisions/divisions.module.ts');

    expect(changes).toContain(`+import { Lamps } from './lamps/lamps.js';`);
    expect(changes).toMatch(/\+ .*providers: \[Lamps, /);
    expect(changes).not.toContain('Bulbs');
  });

  it.each([
    [['guard', '9lamps'], '"9lamps" is not a name'],
    [['guard', 'lamps-2'], '"lamps-2" is not a name'],
    [['guard', 'lamps', '-p', 'nowhere'], '"nowhere" is none of the projects'],
    [['guard', 'lamp-utils'], '"lamp-utils" says too little'],
    [['guard', '../lamps'], '".." is not a name'],
    [['guard'], 'Name the guard'],
    [['guard', 'lamps', '--spec-file-suffix', 'test'], 'end with .spec.ts'],
    [['service', 'divisions'], 'divisions.service.ts exists'],
    [['library', 'domain'], 'libs/domain exists'],
    [['app', 'supervisor'], 'apps/supervisor exists'],
    [['resource', 'lamp'], 'is not a plural noun'],
  ])('refuses nest g %j, and changes nothing', (args, reason) => {
    const output = copy.generate(...(args.includes('-p') ? args : [...args, '-p', 'main-api']));

    expect(output).toContain(reason);
    expect([...copy.changed(), copy.must('git', 'diff', '--name-only')]).toEqual(['']);
  });
});

/** The names in the table of `nest g --help`, without its head. */
function listedIn(help: string): string[] {
  return [...stripVTControlCharacters(help).matchAll(/^ {4}│ ([a-z-]+) +│/gm)].map(([, name = '']) => name).slice(1);
}
