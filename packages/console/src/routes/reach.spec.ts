import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const CONSOLE = 'packages/console/src';

/**
 * Requests that no page of the console sends, each with its reason. The list may only get shorter: a request that a page sends must leave
 * the list, and it has ten places at most.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'loginCodes.redeem': 'The command line redeems the code of a browser.',
  'apiKeys.getContext': 'The question of a key about itself. A browser has no key.',
  'deliveries.listAttempts': 'The list of deliveries has the same events, with their attempts.',
  'deliveries.listAttemptsInDivision': 'The list of deliveries has the same events, with their attempts.',
  'errors.list': 'Programs read the catalog of errors. A page shows each error in full.',
  'tenants.list': 'The account of the person lists the organizations.',
  'divisions.list': 'The structure of the organization lists the divisions with their environments.',
  'downloads.fetch': 'The address of a download is in the answer for a snapshot.',
  'nodeMetrics.getLatest': 'The series of each node end with the latest values.',
  'runtimeOperations.streamEvents': 'The stream of the main API has the same events.',
};
const MOST_EXCEPTIONS = 10;
/**
 * Requests, and groups of requests, that are new, each with its reason. A group leaves the list when a page sends one of its requests.
 * There are at most four, so that pages follow soon.
 */
const WITHOUT_PAGE: Readonly<Record<string, string>> = {
  'configs.preview':
    'The form of a new version is validated when it is saved. It will show first what the values change.',
  'connectorConfigs.preview': 'The same for a connector.',
};
const MOST_WITHOUT_PAGE = 4;
/** The handle of the SDK for an operation follows its events. */
const BY_HANDLE: Readonly<Record<string, string>> = { 'operations.streamEvents': '.wait(' };
/** Screens of configurations name the request by its owner, the broker or a connector: `${owner.group}.create`. */
const BY_OWNER = ['configs', 'connectorConfigs'];
/** For load balancers and for the programs that watch an installation. */
const NOT_FOR_PEOPLE = ['health', 'supervisorHealth'];

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}
interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
      }
    >
  >;
  components: Record<string, Record<string, Schema>>;
}
interface Operation {
  id: string;
  method: string;
  path: string;
  /** The members of the answer, or of its items. Null: no JSON object. */
  answer: ReadonlySet<string> | null;
  isList: boolean;
}

const operations = ['main-api', 'supervisor'].flatMap(operationsOf);
const text = sourcesFrom('main.tsx').join('\n');
const reached = new Set(operations.filter(isReached).map(({ id }) => id));
/** A single thing whose members all are in a list that a page shows. */
const listed = operations.filter(({ id, isList }) => isList && reached.has(id));

describe('The console', () => {
  it('sends every request that a person needs', () => {
    const missing = operations
      .filter(({ id }) => !reached.has(id) && !(id in EXCEPTIONS))
      .filter((one) => !isShownByList(one) && !NOT_FOR_PEOPLE.includes(groupOf(one)) && !isNew(one))
      .map(({ id, method, path }) => `${id}: ${method} ${path}`);

    expect(missing).toEqual([]);
  });

  it('has no exception that a page reaches, or that does not exist', () => {
    const unneeded = Object.keys(EXCEPTIONS).filter((id) => {
      const operation = operations.find((one) => one.id === id);
      return operation === undefined || reached.has(id) || isShownByList(operation);
    });

    expect(unneeded).toEqual([]);
    expect(Object.keys(EXCEPTIONS).length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
  });

  it('has no group without a page that a page reaches, or that does not exist', () => {
    const unneeded = Object.keys(WITHOUT_PAGE).filter((name) => {
      const ofGroup = operations.filter((one) => [one.id, groupOf(one)].includes(name));
      return ofGroup.length === 0 || ofGroup.some(({ id }) => reached.has(id));
    });

    expect(unneeded).toEqual([]);
    expect(Object.keys(WITHOUT_PAGE).length).toBeLessThanOrEqual(MOST_WITHOUT_PAGE);
  });

  it('is read by this test as far as its pages go', () => {
    expect(reached).toContain('deployments.createManaged');
    expect(reached.size).toBeGreaterThan(40);
  });
});

const groupOf = ({ id }: Operation): string => id.split('.')[0] ?? '';
const isNew = (one: Operation): boolean => one.id in WITHOUT_PAGE || groupOf(one) in WITHOUT_PAGE;

/** A page names the method of the SDK, or has the address as a link. */
function isReached({ id, method, path }: Operation): boolean {
  const [group = '', name = ''] = id.split('.');
  const link = new RegExp(`\`[^\`]*${path.replaceAll(/\{\w+\}/g, '\\$\\{[^}]+\\}')}[\`?]`);
  return (
    text.includes(`'${id}'`) ||
    text.includes(`"${id}"`) ||
    (BY_OWNER.includes(group) && text.includes(`group}.${name}\``)) ||
    (id in BY_HANDLE && text.includes(BY_HANDLE[id] ?? '')) ||
    new RegExp(`\\b${group}\\.${name}\\(`).test(text) ||
    (method === 'GET' && link.test(text))
  );
}

function isShownByList({ method, answer }: Operation): boolean {
  return (
    method === 'GET' &&
    answer !== null &&
    listed.some((list) => [...answer].every((member) => list.answer?.has(member)))
  );
}

function operationsOf(app: string): Operation[] {
  const document = JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8')) as Document;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId: id, responses }]) => {
      const [, answer] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
      const found = resolved<NonNullable<typeof answer>>(document, answer);
      const schema = resolved(document, found?.content?.['application/json']?.schema);
      const items = schema?.items ?? membersOf(document, schema)?.['items']?.items;
      const members = membersOf(document, items ?? schema);
      return {
        ...{ id, path, method: method.toUpperCase(), isList: items !== undefined },
        answer: members === null ? null : new Set(Object.keys(members)),
      };
    }),
  );
}

function resolved<Value extends { $ref?: string }>(document: Document, value: Value | undefined): Value | undefined {
  if (value?.$ref === undefined) return value;
  const [, , section = '', name = ''] = value.$ref.split('/');
  return document.components[section]?.[name] as Value | undefined;
}

function membersOf(document: Document, schema: Schema | undefined): Record<string, Schema> | null {
  const whole = resolved(document, schema);
  const parts = (whole?.allOf ?? []).map((part) => membersOf(document, part) ?? {});
  const members: Record<string, Schema> = Object.assign({}, ...parts, whole?.properties);
  return Object.keys(members).length === 0 ? null : members;
}

/** The sources that the entry loads, at once or later, without comments. A file that no page imports reaches nothing. */
function sourcesFrom(entry: string): string[] {
  const found = new Map<string, string>();
  const open = [join(ROOT, CONSOLE, entry)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || path.includes('/generated/')) continue;
    const source = readFileSync(path, 'utf8');
    found.set(
      path,
      source
        .replaceAll(/\/\*[^]*?\*\//g, '')
        .replaceAll(/^\s*\/\/.*$/gm, '')
        .replaceAll(/\s+\./g, '.')
        .replaceAll(/\.\s+/g, '.'),
    );
    for (const [, name = ''] of source.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
      const target = join(dirname(path), name);
      open.push(...[`${target}.ts`, `${target}.tsx`].filter((one) => existsSync(one)));
    }
  }
  return [...found.values()];
}
