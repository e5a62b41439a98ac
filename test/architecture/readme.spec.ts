import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DEPLOYMENT_STATES, type DeploymentStatus } from '@libs/domain';
import { MAIN_API_SETTINGS } from '../../apps/main-api/src/config.js';
import { SUPERVISOR_SETTINGS } from '../../apps/supervisor/src/config.js';
import { LAUNCHER_SETTINGS } from '../../libs/launcher/src/config.js';
import { configurationPage } from '../../scripts/golden/configuration-docs.mjs';
import { blocksOf } from './sources/blocks.js';
import { anchorsOf, linksOf } from './sources/markdown.js';
import { documents, ROOT } from './sources/sources.js';

const CONFIGS = [
  'apps/main-api/src/config.ts',
  'apps/supervisor/src/config.ts',
  'apps/supervisor/src/aws-settings.ts',
  'apps/supervisor/src/dns-settings.ts',
  'apps/supervisor/src/gcp-settings.ts',
  'apps/supervisor/src/local-settings.ts',
  'libs/domain/src/people/operator-accounts.ts',
  'libs/domain/src/settings.ts',
  'libs/launcher/src/config.ts',
];
/** Declares its settings once, for listeners with these prefixes. */
const SETTINGS_OF_LISTENERS = { file: 'libs/domain/src/admission/connection-settings.ts', prefixes: ['', 'GATEWAY_'] };
/** States that the diagram draws as one composite state, and the targets that all of them share. */
const PROVISIONING = between('initializing', 'bootstrapping_agent');
const SHARED = ['rolling_back', 'failed'];
/** GitHub draws blocks of this language. */
const DRAWING = 'mermaid';
const README_BYTES = 8 * 1024;
/** The map stays a map: a fact is told beside its code, or in a decision. */
const ARCHITECTURE_WORDS = 2500;
/** The folders of the modules. */
const MODULES = [...directories('apps').map((app) => `apps/${app}/src`), 'libs', 'libs/host/src', 'packages'];
const ARCHITECTURE = 'docs/architecture.md';
const CONFIGURATION = 'docs/configuration.md';
/** Words after `npm` in documents that are not scripts of package.json. */
const NPM_ITSELF = ['ci'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('the README', () => {
  it('has at most 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(README_BYTES);
  });

  it('links to every document, directly or through an index', () => {
    const listed = new Set(
      ['README.md', ARCHITECTURE, ...documents().filter((path) => path.endsWith('/README.md'))].flatMap((index) =>
        linksOf(read(index)).map((link) => target(index, link)),
      ),
    );

    expect(documents().filter((path) => !listed.has(path) && !UNLISTED.includes(path))).toEqual([]);
  });

  it('names every library and both apps', () => {
    const folders = [...directories('libs').map((name) => `libs/${name}`), 'apps/main-api', 'apps/supervisor'];

    expect(folders.filter((folder) => !readme.includes(`\`${folder}\``))).toEqual([]);
  });
});

/** The front page. */
const UNLISTED = ['README.md'];

describe('the architecture', () => {
  it('has at most 2,500 words', () => {
    expect(read(ARCHITECTURE).trim().split(/\s+/).length).toBeLessThanOrEqual(ARCHITECTURE_WORDS);
  });

  it('draws the states of a deployment like the table in the code', () => {
    expect(DEPLOYMENT_STATES.deleting).toEqual([]);
    const [, drawn] = /```mermaid\n([\s\S]*?)\n```/.exec(section(ARCHITECTURE, 'States of a deployment')) ?? [];

    expect(drawn).toBe(stateDiagram());
  });

  it('names every library and every module', () => {
    const [{ text: map = '' } = {}] = blocksOf(section(ARCHITECTURE, 'Map of the folders'));
    const folders = MODULES.flatMap((folder) => directories(folder));
    const missing = folders.filter((name) => !new RegExp(`(^|\\s)${name}/`, 'm').test(map));

    expect(missing).toEqual([]);
  });

  it('names only existing modules', () => {
    const [{ text: map = '' } = {}] = blocksOf(section(ARCHITECTURE, 'Map of the folders'));
    const folders = new Set(MODULES.flatMap((name) => directories(name)));
    const inModules = map.slice(0, map.indexOf('\ntest/'));
    const named = matches(inModules, /(?:^ {2,4}|\/ )([a-z-]+)\//gm).filter(
      (name) => !directories('apps').includes(name),
    );

    expect(named.filter((name) => !folders.has(name))).toEqual([]);
  });
});

describe('the page of the settings', () => {
  it('explains every setting of the code, and no other', () => {
    const namesIn = (file: string): string[] => matches(read(file), /^ {2,4}([A-Z][A-Z_]+[A-Z]):/gm);
    const { file, prefixes } = SETTINGS_OF_LISTENERS;
    const ofListeners = namesIn(file).flatMap((name) => prefixes.map((prefix) => prefix + name));
    const settings = new Set([...CONFIGS.flatMap(namesIn), ...ofListeners]);
    const explained = matches(read(CONFIGURATION), /^\| `([A-Z][A-Z_]+[A-Z])`/gm);

    expect(explained).toEqual([...settings].sort());
  });

  it('is the page that npm run golden writes', () => {
    const page = configurationPage({
      mainApi: MAIN_API_SETTINGS,
      supervisor: SUPERVISOR_SETTINGS,
      launcher: LAUNCHER_SETTINGS,
    });

    expect(read(CONFIGURATION)).toBe(page);
  });
});

describe('the page of the tests', () => {
  it('names every command for tests', () => {
    const hooks = Object.keys(scripts).filter((name) => name.startsWith('pre') && name.slice(3) in scripts);
    const elsewhere = [
      'start',
      'cli',
      'demo',
      'build',
      'format',
      'format:check',
      'lint',
      'types',
      'deps',
      'artifacts',
      'postinstall',
    ];
    const typed = Object.keys(scripts).filter((name) => ![...hooks, ...elsewhere].includes(name));
    const testing = read('docs/testing.md');

    expect(typed.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(testing))).toEqual([]);
  });
});

describe('every document', () => {
  it.each(documents())('%s marks each block as run, as shown, or with the programs that it needs', (document) => {
    const blocks = blocksOf(read(document)).filter(({ language }) => language !== DRAWING);
    const unmarked = blocks.filter(({ mark }) => mark === null);
    // A terminal takes only commands.
    const untyped = blocks.filter(({ mark, language }) => mark !== 'shows' && language !== 'sh');

    expect([...unmarked, ...untyped].map(({ line }) => `${document}:${line}`)).toEqual([]);
  });

  it('is found by this test', () => {
    expect(documents()).toEqual(
      expect.arrayContaining(['README.md', 'docs/guides/requests.md', 'docs/decisions/README.md']),
    );
  });

  it.each(documents())('%s links only to existing files and anchors', (document) => {
    const broken = linksOf(read(document)).filter((link) => {
      const path = target(document, link);
      const [, anchor] = link.split('#');
      if (!existsSync(join(ROOT, path))) return true;
      return anchor !== undefined && !anchorsOf(read(path)).includes(anchor);
    });

    expect(broken).toEqual([]);
  });

  it.each(documents())('%s names only commands of package.json', (document) => {
    const commands = matches(read(document), /npm run (?:--silent )?([a-z]+(?::[a-z0-9]+)?)\b/g);
    const shorthand = matches(read(document), /\bnpm (start|test|ci)\b/g);
    const unknown = [...commands, ...shorthand].filter((name) => !(name in scripts) && !NPM_ITSELF.includes(name));

    expect(unknown).toEqual([]);
  });
});

/** The path of a link in a document; a link with only an anchor leads to the document itself. */
function target(document: string, link: string): string {
  const [path = ''] = link.split('#');
  return path === '' ? document : normalize(join(dirname(document), path)).replace(/\/$/, '');
}

/** The table of states as a diagram; edges that all rows share are drawn once. */
function stateDiagram(): string {
  const states = Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[];
  const all = states.filter((state) => state !== 'deleting').flatMap(edges);
  const [inner, outer] = partition(all, ({ from, to }) => [from, to].every((state) => PROVISIONING.includes(state)));
  return [
    'stateDiagram-v2',
    `  [*] --> ${states[0]}`,
    '  state provisioning {',
    ...inner.map(({ from, to }) => `    ${from} --> ${to}`),
    '  }',
    ...SHARED.map((to) => `  provisioning --> ${to}`),
    ...outer.map(({ from, to }) => `  ${from} --> ${to}`),
    '  deleting --> [*]',
    '  note right of deleting : from every state',
  ].join('\n');
}

interface Edge {
  from: DeploymentStatus;
  to: DeploymentStatus;
}

/** The edges of a state that are drawn separately. A shared edge must be in the row, otherwise the diagram is wrong. */
function edges(from: DeploymentStatus): Edge[] {
  const shared = PROVISIONING.includes(from) ? ['deleting', ...SHARED] : ['deleting'];
  const targets: readonly DeploymentStatus[] = DEPLOYMENT_STATES[from];
  expect({ from, targets }).toEqual({ from, targets: expect.arrayContaining(shared) });
  return targets.filter((to) => !shared.includes(to)).map((to) => ({ from, to }));
}

function between(first: DeploymentStatus, last: DeploymentStatus): DeploymentStatus[] {
  const states = Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[];
  return states.slice(states.indexOf(first), states.indexOf(last) + 1);
}

function partition<T>(items: T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}

/** The text below a second-level heading, up to the next one. */
function section(document: string, heading: string): string {
  const [, below = ''] = read(document).split(`\n## ${heading}\n`);
  return below.split('\n## ')[0] ?? '';
}

function directories(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
