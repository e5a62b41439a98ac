import type { ApiAnswer } from '@libs/testing';
import { resolve, readGolden, type Schema } from '../../architecture/sources/openapi-document.js';
import { CELLS, prepare, send, type Call, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';
import { operationOf } from './declared-headers.js';

/** What only the reader of an example knows: ids, secrets of mails and of other programs, the own Supervisor, a time ahead. */
const OF_READER = [
  ...['member_id', 'members', 'tenant_id', 'division_id', 'environment_id', 'external_id'],
  ...['token', 'password', 'code', 'code_verifier', 'supervisor_url', 'expiry_at'],
];
/** The same at one route: an account that exists, the activated instance. */
const OF_READER_AT: Record<string, string[]> = {
  'sessions.signIn': ['email'],
  'connectorConfigs.create': ['name'],
  'connectorConfigs.preview': ['name'],
};

const described = CELLS.flatMap((cell) => {
  const operation = operationOf(cell);
  const body = operation?.requestBody?.content['application/json']?.schema;
  if (!operation || !body) return [];
  const schema = body.$ref ? (resolve(readGolden(cell.app), body.$ref) as Schema) : body;
  return [{ title: cell.title, cell, operationId: operation.operationId ?? '', example: exampleIn(schema) }];
});

function exampleIn(schema: Schema): object | undefined {
  const examples = schema['examples'] as object[] | undefined;
  return examples?.[0];
}

/** The example with the values of the reader, which are those of a valid call. */
function forReader(example: object, valid: object, names: readonly string[]): object {
  const values = valid as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]: [string, unknown]) => {
      if (names.includes(name) && name in values) return [name, values[name]];
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isObject ? forReader(value, values[name] ?? {}, names) : value];
    }),
  );
}

describe('The example of a body', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const ask = (cell: Cell, call: Call, body: object): Promise<ApiAnswer> => {
    const isBySession = cell.access.kind === 'session_only';
    const key = isBySession || cell.access.kind === 'public' ? null : world.cloud.key;
    return send(cell, world, { ...call, body }, key, isBySession ? call.who?.headers : {});
  };

  it('is there for every route that takes one', () => {
    expect(described.length).toBeGreaterThan(70);
    expect(described.filter(({ example }) => !example).map(({ title }) => title)).toEqual([]);
  });

  it.each(described)('is accepted by $title', async ({ cell, operationId, example = {} }) => {
    const call = await prepare(cell, world);
    const names = [...OF_READER, ...(OF_READER_AT[operationId] ?? [])];

    const { status, body } = await ask(cell, call, forReader(example, call.body ?? {}, names));

    expect({ status, body }).toEqual({ status: cell.row.status, body });
  });
});
