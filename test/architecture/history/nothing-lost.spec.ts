import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { skippedSuite } from '@libs/testing';
import { parse } from 'yaml';
import { commitOf, fileAt } from '../../compat/previous-release.mjs';

const ROOT = join(import.meta.dirname, '../../..');
/** The last commit before the folders were sorted by where code runs. The clearance after it loses no function. */
const BASE = 'a95ab04d';
/** Where a file of the base, or a part of it, is now. */
const MOVED: Record<string, string> = {
  'parts of the checks': 'scripts/suites/parts.mjs',
  'areas of slow tests': 'scripts/suites/worlds.mjs',
  'test/golden/': 'contract/',
  'packages/cli/test/help.txt': 'contract/cli-help.txt',
  'packages/cli/test/mcp-tools.txt': 'contract/mcp-tools.txt',
};

interface OpenApi {
  components: { schemas: Record<string, { properties?: object; required?: string[] }> };
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
const json = <T>(text: string): T => JSON.parse(text) as T;

function membersOf(text: string): string[] {
  const { schemas } = json<OpenApi>(text).components;
  return Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((property) => `${name}.${property}`),
  );
}

/** The path of each value, such as `mainApi.replicas`. */
function pathsIn(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  return Object.entries(value).flatMap(([key, child]) => pathsIn(child, prefix === '' ? key : `${prefix}.${key}`));
}

/** Columns and constraints with their table, because many tables have the same ones. */
function schemaLines(text: string): string[] {
  let table = '';
  return lines(text).map((line) => {
    if (!line.startsWith(' ')) table = line;
    return `${table} ${line.trim().replace(/,$/, '')}`;
  });
}

/** What stays: the names in one file of the base. */
const STAYS: [what: string, file: string, names: (text: string) => string[]][] = [
  ['settings', 'docs/configuration.md', (text) => matches(text, /^\| `([A-Z][A-Z_]+)` \|/gm)],
  ['operations and their routes', 'test/golden/operation-ids.txt', lines],
  ['permissions of roles and routes', 'test/golden/permissions.txt', lines],
  ['schemas of the main API', 'test/golden/openapi.main-api.json', membersOf],
  ['schemas of the Supervisor', 'test/golden/openapi.supervisor.json', membersOf],
  ['errors', 'test/golden/errors.txt', lines],
  ['events', 'test/golden/events.txt', lines],
  ['plans', 'test/golden/plans.txt', lines],
  ['steps of workflows', 'test/golden/workflow-steps.txt', lines],
  ['loops', 'test/golden/background-loops.txt', lines],
  ['instructions for customers', 'test/golden/instructions.txt', lines],
  ['tables', 'test/golden/schema.sql', schemaLines],
  ['commands', 'packages/cli/test/help.txt', (text) => matches(text, /^\$ (landlord .*)$/gm)],
  ['options of commands', 'packages/cli/test/help.txt', (text) => matches(text, /(--[a-z-]+)/g)],
  ['tools for models', 'packages/cli/test/mcp-tools.txt', (text) => matches(text, /^ "name": "(\w+)"/gm)],
  ['values of the chart', 'charts/landlord/values.yaml', (text) => pathsIn(parse(text))],
  ['templates of the chart', 'charts/landlord/templates/_helpers.tpl', (text) => matches(text, /define "([^"]+)"/g)],
  ['services of Compose', 'docker/compose.yml', (text) => Object.keys((parse(text) as { services: object }).services)],
  ['commands of npm', 'package.json', (text) => Object.keys(json<{ scripts: object }>(text).scripts)],
  ['programs of a node', 'scripts/artifacts/bundles.mjs', (text) => matches(text, /'([\w/-]+\.main)'/g)],
  ['parts of the checks', 'scripts/parts.mjs', (text) => matches(text, /^ {2}name: '([\w:-]+)'/gm)],
  ['areas of slow tests', 'scripts/parts.mjs', (text) => matches(text, /^ {2}(\w+): \{$/gm)],
];

/** What went on purpose. */
const GONE: Record<string, string> = {
  clients: 'npm builds the clients before each command that needs them (0107)',
  '409 idempotent_request_in_progress: The first request with this idempotency key is still running':
    'is retryable now',
  'POST   /tenants/:tenant_id/divisions/:division_id/deployments/starter                                                          deployment:manage':
    'the permission in the environment that the body names suffices',
  'create table tasks ( constraint tasks_operation_id_key UNIQUE (operation_id)':
    'an index: one operation has many tasks',
};

const isHere = commitOf(BASE, ROOT) !== null;
const suite = isHere
  ? describe
  : skippedSuite(`the history of git does not contain ${BASE}`, 'Clone the whole history');

suite(`Since ${BASE}`, () => {
  it.each(STAYS)('no name is lost: %s', (what, file, names) => {
    const [from = '', to = ''] = Object.entries(MOVED).find(([prefix]) => file.startsWith(prefix)) ?? [];
    const before = names(fileAt(BASE, file, ROOT) ?? '');
    const now = new Set(names(readFileSync(join(ROOT, MOVED[what] ?? file.replace(from, to)), 'utf8')));

    expect(before.length).toBeGreaterThan(0);
    expect(before.filter((name) => !now.has(name) && !(name in GONE))).toEqual([]);
  });
});
