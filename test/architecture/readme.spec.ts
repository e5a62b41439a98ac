import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DEPLOYMENT_STATES, type DeploymentStatus } from '@libs/domain';
import { ROOT } from './sources.js';

const CONFIGS = [
  'apps/main-api/src/config.ts',
  'apps/supervisor/src/config.ts',
  'libs/domain/src/settings.ts',
  'libs/launcher/src/config.ts',
];
/** States that are drawn as one, and where each of them may go. */
const PROVISIONING = between('initializing', 'bootstrapping_agent');
const SHARED = ['rolling_back', 'failed'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const readme = read('README.md');

describe('the README', () => {
  it('draws the states of a deployment as the table has them', () => {
    expect(DEPLOYMENT_STATES.deleting).toEqual([]);
    const [, drawn] = /```mermaid\n([\s\S]*?)\n```/.exec(readme) ?? [];

    expect(drawn).toBe(stateDiagram());
  });

  it('explains every setting, and none that nothing reads', () => {
    const known = new Set(CONFIGS.flatMap((file) => matches(read(file), /^ {2,4}([A-Z][A-Z_]+[A-Z]):/gm)));
    const explained = new Set(matches(settingsTable(), /`([A-Z][A-Z_]+[A-Z])`/g));
    // The launcher takes it by a name of its own; the README has one sentence on all of these.
    known.delete('LANDLORD_SECRET_KEYS_FILE');

    expect([...explained].sort()).toEqual([...known].sort());
  });

  it('names every library and every room', () => {
    const [, map = ''] = /## The map of rooms\n+```\n([\s\S]*?)```/.exec(readme) ?? [];
    const rooms = ['apps/main-api/src', 'apps/supervisor/src', 'libs'].flatMap((folder) => directories(folder));
    const missing = rooms.filter((room) => !new RegExp(`(^|\\s)${room}/`, 'm').test(map));

    expect(missing).toEqual([]);
  });

  it('names every command of package.json that people type', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = [...readme.matchAll(/npm (?:run )?(start|test|[a-z]+(?::[a-z0-9]+)?)\b/g)].map(([, name]) => name);
    const unknown = commands.filter((name) => name !== 'ci' && !(name !== undefined && name in scripts));

    expect(unknown).toEqual([]);
  });
});

describe('every document', () => {
  it.each(documents())('%s links only to what exists', (document) => {
    const links = matches(read(document), /\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => !existsSync(join(ROOT, normalize(join(dirname(document), link)))));

    expect(broken).toEqual([]);
  });
});

/** The table of states as a diagram; what all rows share is drawn once. */
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

/** The edges of a state that are drawn by themselves. An edge that is not must be in the row, or the drawing lies. */
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

function settingsTable(): string {
  return (
    /## Configuration\n([\s\S]*?)\n## /
      .exec(readme)?.[1]
      ?.match(/^\| `[^|]*\|/gm)
      ?.join('\n') ?? ''
  );
}

function directories(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function documents(): string[] {
  const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  return ['README.md', 'docs/architecture.md', 'docs/operating.md', ...decisions];
}
