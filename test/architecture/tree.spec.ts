import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { WORLDS } from '../../scripts/suites/worlds.mjs';
import { nodesOf, parse, ROOT, sourcesUnder } from './sources/sources.js';

const APPS = readdirSync(join(ROOT, 'apps'));
/** This list may only shrink: an entry that is no longer needed fails, too. */
const MODULES_WITHOUT_INDEX = ['apps/supervisor/src/docs'];

const MEANINGLESS = /(^|[/.-])(utils?|helpers?|common|misc|managers?)([/.-]|$)/;
/** Suffixes of files whose class has the name of the file, and the ending of the class name. */
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
  ...[
    'apps',
    'charts',
    'contract',
    'docker',
    'docs',
    'libs',
    'packages',
    'scripts',
    'site',
    'test',
    'README.md',
    'SECURITY.md',
    'LICENSE',
    'NOTICE',
  ],
  ...['CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['package.json', 'package-lock.json', 'nest-cli.json', 'tsconfig.json', 'eslint.config.mjs', 'jest.config.mjs'],
  ...['node_modules', 'dist', 'coverage', 'release'],
];

const sources = sourcesUnder('apps', 'libs');

describe('The root folder', () => {
  it('contains only the known entries', () => {
    const entries = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !name.endsWith('.log'));

    expect(entries.filter((name) => !ROOT_ENTRIES.includes(name))).toEqual([]);
  });
});

/** Folders with one file per migration, decision or chapter, which no reader reads from top to bottom. */
const NUMBERED = ['libs/persistence/src/migrations', 'docs/decisions', 'docs/contract'];
const MOST_FILES = 25;

describe('Every folder', () => {
  it('contains at most 25 files', () => {
    const counts = new Map<string, number>();
    for (const top of ['apps', 'contract', 'docs', 'libs', 'packages', 'scripts', 'test'])
      for (const entry of readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })) {
        const folder = relative(ROOT, entry.parentPath).replaceAll('\\', '/');
        if (entry.isFile()) counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }

    const long = [...counts].filter(([folder, count]) => count > MOST_FILES && !NUMBERED.includes(folder));

    expect(counts.size).toBeGreaterThan(100);
    expect(long).toEqual([]);
  });

  it('of production code contains no fixture', () => {
    const fixtures = ['apps', 'libs', 'packages']
      .flatMap((top) => readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }))
      .filter((path) => path.endsWith('.fixture.ts'));

    expect(fixtures.length).toBeGreaterThan(10);
    expect(fixtures.filter((path) => !/[\\/]test[\\/]/.test(path))).toEqual([]);
  });
});

describe('Every slow test', () => {
  const proofs = ['apps', 'libs', 'test']
    .flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.proof.ts'));

  it('belongs to one area', () => {
    const worldsOf = (path: string): string[] =>
      Object.keys(WORLDS).filter((world) => WORLDS[world]?.roots.some((root) => path.startsWith(`${root}/`)));

    expect(proofs.length).toBeGreaterThan(40);
    expect(proofs.filter((path) => worldsOf(path).length !== 1)).toEqual([]);
  });

  it('that CI runs for an area is in this area', () => {
    const missing = Object.values(WORLDS).flatMap(({ roots, smoke }) =>
      [smoke].flat().filter((path) => !proofs.includes(path) || !roots.some((root) => path.startsWith(`${root}/`))),
    );

    expect(missing).toEqual([]);
  });

  it('of an area has a command', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };

    expect(Object.keys(WORLDS).filter((world) => !(`proofs:${world}` in scripts))).toEqual([]);
  });
});

describe('Every module of an app', () => {
  it('has one index.ts and one Nest module with the name of its folder', () => {
    const incomplete = moduleFolders().filter((folder) => {
      const name = folder.split('/').at(-1) ?? '';
      return !['index.ts', `${name}.module.ts`].every((file) => existsSync(join(ROOT, folder, file)));
    });

    expect(moduleFolders().length).toBeGreaterThan(8);
    expect(incomplete).toEqual(MODULES_WITHOUT_INDEX);
  });

  it('has a spec beside its code', () => {
    const untested = moduleFolders().filter((folder) => {
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
      // A new module and an interface have no code to test.
      const code = files.filter(
        (path) => path.endsWith('.ts') && !/(^|\/)(index|[\w-]+\.(module|interface))\.ts$/.test(path),
      );
      return code.length > 0 && !code.some((path) => path.endsWith('.spec.ts'));
    });

    expect(untested).toEqual([]);
  });

  it('has an index.ts that only exports', () => {
    const indexes = moduleFolders()
      .map((folder) => `${folder}/index.ts`)
      .filter((index) => existsSync(join(ROOT, index)));

    const withCode = indexes.filter((index) => !parse(index).statements.every(isPassingOn));

    expect(withCode).toEqual([]);
  });
});

describe('Every file', () => {
  it('has a meaningful name in kebab-case', () => {
    const odd = sources.filter((path) => {
      const inSrc = path.replace(/^.*?\/src\//, '');
      return MEANINGLESS.test(inSrc) || !inSrc.split('/').every((part) => /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(part));
    });

    expect(odd).toEqual([]);
  });

  it('with the suffix of a class contains that class, and no second class of this kind', () => {
    const wrong = sources.filter((path) => {
      const [, stem = '', suffix = ''] = /([^/.]+)\.([a-z]+)\.ts$/.exec(path) ?? [];
      const ending = CLASS_SUFFIXES[suffix];
      if (ending === undefined) return false;
      const kin = exportedClasses(path).filter((name) => name.endsWith(ending));
      return kin.length !== 1 || kin[0] !== pascalCase(stem) + ending;
    });

    expect(wrong).toEqual([]);
  });

  it('re-exports only if it is an index.ts', () => {
    const barrels = sources.filter((path) => !path.endsWith('/index.ts') && parse(path).statements.some(isPassingOn));

    expect(barrels).toEqual([]);
  });

  it('named index.ts belongs to a library, a group of repositories or a module of an app', () => {
    const indexes = sources.filter((path) => path.endsWith('/index.ts'));

    const others = indexes.filter(
      (path) => !/^libs\/[^/]+(\/[^/]+)?\/src(\/[^/]+)?\/index\.ts$|^apps\/[^/]+\/src\/[^/]+\/index\.ts$/.test(path),
    );

    expect(others).toEqual([]);
  });

  it('that boots an app is short', () => {
    const lines = APPS.map((app) => readFileSync(join(ROOT, `apps/${app}/src/main.ts`), 'utf8').split('\n').length);

    expect(Math.max(...lines)).toBeLessThan(40);
  });
});

describe('Every class', () => {
  it('has at most eight dependencies', () => {
    const greedy = sources.flatMap((path) =>
      nodesOf(parse(path), ts.isConstructorDeclaration)
        .filter(({ parameters, parent }) => parameters.length > 8 && ts.getDecorators(parent as ts.ClassDeclaration))
        .map(({ parent }) => `${path}: ${parent.name?.text}`),
    );

    expect(greedy).toEqual([]);
  });
});

/**
 * What a service may know of the request: its caller and the rights of the caller, pages, and work that is prepared before
 * the transaction.
 */
const OF_THE_REQUEST = [
  ...[
    'ActingCaller',
    'Page',
    'PageQuery',
    'ListQuery',
    'NamedListQuery',
    'TimedListQuery',
    'Prepared',
    'requireUnchanged',
    'networkOf',
  ],
  ...['requireInScope', 'requirePermission', 'callerName', 'StillAllowed'],
];

describe('Every service', () => {
  it('is free of HTTP: no answers, headers, cookies or etags', () => {
    const services = sources.filter((path) => path.startsWith('apps/') && path.endsWith('.service.ts'));
    const used = services.flatMap((path) =>
      parse(path)
        .statements.filter(ts.isImportDeclaration)
        .filter(({ moduleSpecifier }) => /^'(@libs\/http|express|@nestjs\/swagger)'$/.test(moduleSpecifier.getText()))
        .flatMap((statement) => nodesOf(statement, ts.isImportSpecifier))
        .map(({ name }) => ({ path, name: name.text })),
    );

    expect(services.length).toBeGreaterThan(40);
    expect(used.filter(({ name }) => !OF_THE_REQUEST.includes(name))).toEqual([]);
  });
});

describe('An answer with headers of its own', () => {
  it('is made for the session cookie only', () => {
    const makers = sources.filter(
      (path) => path.startsWith('apps/') && nodesOf(parse(path), ts.isNewExpression).some(isAnswer),
    );

    expect(makers).toEqual(['apps/main-api/src/account/session-cookies.ts']);
  });
});

const isAnswer = ({ expression }: ts.NewExpression): boolean => expression.getText() === 'Answer';

function moduleFolders(): string[] {
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
