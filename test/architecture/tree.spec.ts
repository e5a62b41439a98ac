import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { nodesOf, parse, ROOT, sourcesUnder } from './sources.js';

const APPS = ['main-api', 'supervisor'];
/** These lists may only shrink: an entry that is not needed any more fails, too. */
const NOT_QUITE_ROOMS = ['apps/supervisor/src/docs'];
const MANY_DEPENDENCIES = ['apps/supervisor/src/lifecycle/deployment-resources.ts: DeploymentResources'];

const MEANINGLESS = /(^|[/.-])(utils?|helpers?|common|misc|managers?)([/.-]|$)/;
/** Suffixes whose class carries the name of the file, and what the class ends in. */
const CLASS_SUFFIXES: Record<string, string> = {
  controller: 'Controller',
  service: 'Service',
  module: 'Module',
  repository: 'Repository',
  guard: 'Guard',
  filter: 'Filter',
  interceptor: 'Interceptor',
  pipe: 'Pipe',
  entity: '',
};
const ROOT_ENTRIES = [
  ...['apps', 'docker', 'docs', 'libs', 'scripts', 'test', 'README.md', 'SECURITY.md', 'LICENSE', 'NOTICE'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['package.json', 'package-lock.json', 'nest-cli.json', 'tsconfig.json', 'eslint.config.mjs', 'jest.config.mjs'],
  ...['node_modules', 'dist', 'coverage'],
];

const sources = sourcesUnder('apps', 'libs');

describe('the top of the tree', () => {
  it('stays small enough to be read at a glance', () => {
    const entries = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !name.endsWith('.log'));

    expect(entries.filter((name) => !ROOT_ENTRIES.includes(name))).toEqual([]);
  });
});

describe('every room of an app', () => {
  it('has one door and one module, named after it', () => {
    const incomplete = rooms().filter((room) => {
      const name = room.split('/').at(-1) ?? '';
      return !['index.ts', `${name}.module.ts`].every((file) => existsSync(join(ROOT, room, file)));
    });

    expect(rooms().length).toBeGreaterThan(8);
    expect(incomplete).toEqual(NOT_QUITE_ROOMS);
  });

  it('has a door that only names what goes out', () => {
    const doors = rooms()
      .map((room) => `${room}/index.ts`)
      .filter((door) => existsSync(join(ROOT, door)));

    const withCode = doors.filter((door) => !parse(door).statements.every(isPassingOn));

    expect(withCode).toEqual([]);
  });
});

describe('every file', () => {
  it('is named in kebab-case with a role, and means something', () => {
    const odd = sources.filter((path) => {
      const inSrc = path.replace(/^.*?\/src\//, '');
      return MEANINGLESS.test(inSrc) || !inSrc.split('/').every((part) => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(part));
    });

    expect(odd).toEqual([]);
  });

  it('that is named after a class holds that class, and no second one of the kind', () => {
    const wrong = sources.filter((path) => {
      const [, stem = '', suffix = ''] = /([^/.]+)\.([a-z]+)\.ts$/.exec(path) ?? [];
      const ending = CLASS_SUFFIXES[suffix];
      if (ending === undefined) return false;
      const kin = exportedClasses(path).filter((name) => name.endsWith(ending));
      return kin.length !== 1 || kin[0] !== pascalCase(stem) + ending;
    });

    expect(wrong).toEqual([]);
  });

  it('passes nothing on unless it is a door', () => {
    const barrels = sources.filter((path) => !path.endsWith('/index.ts') && parse(path).statements.some(isPassingOn));

    expect(barrels).toEqual([]);
  });

  it('named index.ts is the door of a library, of a group of repositories, or of a room', () => {
    const doors = sources.filter((path) => path.endsWith('/index.ts'));

    const others = doors.filter(
      (path) => !/^libs\/[^/]+(\/[^/]+)?\/src(\/[^/]+)?\/index\.ts$|^apps\/[^/]+\/src\/[^/]+\/index\.ts$/.test(path),
    );

    expect(others).toEqual([]);
  });

  it('that boots an app is short', () => {
    const lines = APPS.map((app) => readFileSync(join(ROOT, `apps/${app}/src/main.ts`), 'utf8').split('\n').length);

    expect(Math.max(...lines)).toBeLessThan(40);
  });
});

describe('every class', () => {
  it('is given at most five things', () => {
    const greedy = sources.flatMap((path) =>
      nodesOf(parse(path), ts.isConstructorDeclaration)
        .filter(({ parameters, parent }) => parameters.length > 5 && ts.getDecorators(parent as ts.ClassDeclaration))
        .map(({ parent }) => `${path}: ${parent.name?.text}`),
    );

    expect(greedy).toEqual(MANY_DEPENDENCIES);
  });
});

function rooms(): string[] {
  return APPS.flatMap((app) =>
    readdirSync(join(ROOT, 'apps', app, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `apps/${app}/src/${entry.name}`),
  ).sort();
}

const isPassingOn = (statement: ts.Statement): boolean =>
  ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;

function exportedClasses(path: string): string[] {
  return parse(path)
    .statements.filter(ts.isClassDeclaration)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map(({ name }) => name?.text ?? '');
}

const pascalCase = (stem: string): string =>
  stem.replace(/(^|-)([a-z0-9])/g, (_, __: string, letter: string) => letter.toUpperCase());
