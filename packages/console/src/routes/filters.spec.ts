import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const SOURCES = join(import.meta.dirname, '..');

/** Filters that no page offers, each with its reason. A filter that a page offers must leave the list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'joinRequests.list status': 'The page shows the requests that need an answer. The audit has the answers.',
  'receivedInvitations.list status': 'The page shows the invitations that need an answer of the person.',
  'backups.list status': 'The page has all backups of one deployment: a plan allows five.',
  'environments.list name': 'The page has all environments of one division.',
  'operations.list deployment': 'The page belongs to one deployment.',
  'logs.list from': 'The page follows the newest lines, and the stream of lines has no time.',
  'logs.list to': 'The page follows the newest lines, and the stream of lines has no time.',
};
/** Filters with another name in the address of their page. */
const NAMES: Readonly<Record<string, string>> = {
  'audit.list types': 'type',
  'invitations.list status': 'invitations',
  'logs.list message': 'text',
  'members.list active': 'state',
};
const PAGING = ['page', 'results', 'sort', 'cursor'];

interface Parameter {
  $ref?: string;
  in?: string;
  name: string;
}
interface Schema {
  $ref?: string;
  type?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const sources = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.spec)\.tsx?$/.test(name) && !name.includes('generated'))
    .map((name) => [join(SOURCES, name), readFileSync(join(SOURCES, name), 'utf8')]),
);
const lists = ['main-api', 'supervisor'].flatMap(listsOf);
const byQuery = requestsOfQueries();
/** The filters that the page of each list offers, by the name of the request. */
const offered = offeredByPages();
const shown = lists.filter(({ id }) => offered.has(id));
const missing = shown.flatMap(({ id, filters }) =>
  filters.map((name) => `${id} ${name}`).filter((key) => !isOffered(id, NAMES[key] ?? key.slice(id.length + 1))),
);

describe('The page of a list', () => {
  it('offers every filter of the API', () => {
    expect(missing.filter((key) => !(key in EXCEPTIONS))).toEqual([]);
  });

  it('has no exception that is not needed, and no other name for a filter that does not exist', () => {
    const all = shown.flatMap(({ id, filters }) => filters.map((name) => `${id} ${name}`));

    expect(Object.keys(EXCEPTIONS).filter((key) => !missing.includes(key))).toEqual([]);
    expect(Object.keys(NAMES).filter((key) => !all.includes(key))).toEqual([]);
  });

  it('is read by this test', () => {
    expect(shown.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'apiKeys.list',
        'audit.list',
        'deployments.listAll',
        'deliveries.list',
        'snapshots.list',
      ]),
    );
    expect(shown.flatMap(({ filters }) => filters).length).toBeGreaterThan(30);
  });
});

function isOffered(id: string, name: string): boolean {
  return offered.get(id)?.has(name) === true;
}

/** The requests that answer several things, with the query parameters that choose among the things. */
function listsOf(app: string): { id: string; filters: string[] }[] {
  const document = JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')) as Document;
  return Object.values(document.paths).flatMap(({ get }) => {
    if (get === undefined || !isList(document, get)) return [];
    const filters = (get.parameters ?? []).filter((one) => one.in === 'query' && !PAGING.includes(one.name));
    return filters.length === 0 ? [] : [{ id: get.operationId, filters: filters.map(({ name }) => name) }];
  });
}

function isList(document: Document, { responses }: Operation): boolean {
  const whole = (schema?: Schema): Schema | undefined =>
    schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const answer = whole(responses['200']?.content?.['application/json']?.schema);
  const parts = [answer, ...(answer?.allOf ?? []).map(whole)];
  return answer?.type === 'array' || parts.some((part) => part?.properties?.['items'] !== undefined);
}

/** The requests of each function that makes a query: `membersQuery` reads `members.list`. */
function requestsOfQueries(): ReadonlyMap<string, readonly string[]> {
  const files = [...sources].filter(([path]) => /\/api\/queries[./]/.test(path));
  return new Map(
    files.flatMap(([, text]) =>
      text.split(/^export const /m).flatMap((part) => {
        const [, name] = /^(\w+Query)\b/.exec(part) ?? [];
        return name === undefined ? [] : [[name, requestsIn(part)] as const];
      }),
    ),
  );
}

/** The requests that a source names: `members.list(` and 'members.list'. */
function requestsIn(text: string): string[] {
  return [
    ...[...text.matchAll(/\.(\w+)\.(\w+)\(/g)].map(([, group, method]) => `${group}.${method}`),
    ...[...text.matchAll(/'(\w+\.\w+)'/g)].map(([, id = '']) => id),
  ];
}

/**
 * A component offers the filters of the fields in its source, and of the components of screens that it shows. It reads the lists that its
 * source names, or the functions of screens that it calls.
 */
function offeredByPages(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    if (!path.endsWith('.tsx') || !path.includes('/screens/')) continue;
    const beside = [...text.matchAll(/from '(\.{1,2}\/[\w./-]+)\.js'/g)]
      .map(([, name]) => join(dirname(path), name ?? ''))
      .filter((name) => name.includes('/screens/'));
    const functions = beside.map((name) => sources.get(`${name}.ts`) ?? '');
    const components = beside.map((name) => sources.get(`${name}.tsx`) ?? '');
    const fields = [text, ...components].flatMap(fieldsIn);
    for (const id of [text, ...functions].flatMap(readsIn))
      found.set(id, new Set([...(found.get(id) ?? []), ...fields]));
  }
  return found;
}

function readsIn(text: string): string[] {
  return [
    ...requestsIn(text),
    ...[...byQuery].flatMap(([name, requests]) => (new RegExp(`\\b${name}\\b`).test(text) ? requests : [])),
  ];
}

/** The names of the fields: `{ name: 'kind', label: 'Kind' }`, and elements with a name. */
function fieldsIn(text: string): string[] {
  return [
    ...[...text.matchAll(/name: '(\w+)', label: /g)].map(([, name = '']) => name),
    ...[...text.matchAll(/<(?:SelectField|TextField)\b[^>]*?\sname="(\w+)"/g)].map(([, name = '']) => name),
  ];
}
