import type { ApiAnswer } from '@libs/testing';
import { bodyMembers, queryMembers, withMember } from '../matrix/bodies.js';
import { CELLS, filledPath, prepare, send, type Call, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';

/** In JavaScript, members with these names are the object itself, its class or its prototype. */
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString'];

const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const parametersOf = ({ path }: Cell): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
/** Members of the query that are texts without a list of values. */
const queryTexts = (cell: Cell): string[] =>
  queryMembers(cell).flatMap(({ name, schema }) => (schema.type === 'string' && !schema.enum ? [name] : []));
const MASK = '********';
/** An object whose own members have the names, as `JSON.parse` makes it. */
const withNames = (value: unknown): object =>
  JSON.parse(`{${NAMES.map((name) => `"${name}":${JSON.stringify(value)}`).join(',')}}`) as object;

/** A fault of the server is no answer. */
function requireKnown(status: number, what: unknown): void {
  if (status >= 500) throw new Error(`${status} for ${JSON.stringify(what)}`);
}

describe('The names of members of objects', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const ask = (cell: Cell, call: Call): Promise<ApiAnswer> => {
    const isSession = cell.access.kind === 'session_only';
    const key = isSession || cell.access.kind === 'public' ? null : world.cloud.key;
    return send(cell, world, call, key, isSession && call.who ? call.who.headers : {});
  };

  it.each(titled(CELLS.filter((cell) => bodyMembers(cell).length > 0)))(
    'are texts and keys like others, or refused, in every member of the body at %s',
    async (_, cell) => {
      const call = await prepare(cell, world);
      for (const { path } of bodyMembers(cell))
        for (const value of [...NAMES, withNames('a'), withNames({ polluted: 1 })]) {
          const body = withMember(call.body, path, value);
          if (!body) continue;
          const { status, body: problem } = await ask(cell, { ...call, body });
          requireKnown(status, { path, value, problem });
        }
    },
  );

  it.each(titled(CELLS.filter((cell) => parametersOf(cell).length > 0)))(
    'address nothing in the path of %s',
    async (_, cell) => {
      const call = await prepare(cell, world);
      for (const parameter of parametersOf(cell))
        for (const name of NAMES) {
          const path = filledPath(cell.path, { ...call.ids, [parameter]: name });
          const { status } = await ask(cell, { ...call, path });
          expect({ path, status, isRefused: status >= 400 && status < 500 }).toMatchObject({ isRefused: true });
        }
    },
  );

  it.each(titled(CELLS.filter((cell) => queryTexts(cell).length > 0)))(
    'are texts like others, or refused, in the query of %s',
    async (_, cell) => {
      const call = await prepare(cell, world);
      const [path] = call.path.split('?');
      for (const member of queryTexts(cell))
        for (const name of NAMES) {
          const { status } = await ask(cell, { ...call, path: `${path}?${member}=${name}` });
          requireKnown(status, [member, name]);
        }
    },
  );

  it.each(NAMES)('are kept or refused as a name of headers of a webhook: %s', async (name) => {
    const settings = JSON.parse(`{"webhook":{"headers":{"${name}":"a"}}}`) as object;
    const channel = { channel: 'webhook', name: world.name(), destination: 'https://hooks.example.com/x', settings };

    const created = await world.cloud.main().post(`${world.cloud.tenant}/channels`, channel);

    if (created.status === 400) return;
    expect(Object.entries(created.body.settings.webhook.headers)).toEqual([[name, MASK]]);
    const path = `${world.cloud.tenant}/channels/${created.body.id}`;
    expect((await world.cloud.main().put(path, { settings: created.body.settings })).status).toBe(204);
  });

  it.each(NAMES)('are kept or refused as a name of headers of a connector: %s', async (name) => {
    const deployment = await world.servingDeployment();
    const { config_name } = await world.connector(deployment, 'http');
    const path = `/deployments/${deployment}/configs/connector:sink:http`;
    const plugin = `{"url":"https://sink.example.com","headers":{"${name}":"a"}}`;
    const save = (plugin_config: object) =>
      world.cloud.runtime().post(path, { name: config_name, values: { plugin_config } });

    const created = await save(JSON.parse(plugin) as object);

    if (created.status === 400) return;
    expect(created).toMatchObject({ status: 201 });
    expect(Object.entries(created.body.values.plugin_config.headers)).toEqual([[name, MASK]]);
    expect((await save(created.body.values.plugin_config)).status).toBe(201);
  });

  it.each(NAMES.slice(0, 3))('are refused as the key of an instance of a connector: %s', async (name) => {
    const deployment = await world.servingDeployment();
    const path = `/deployments/${deployment}/configs/connector:sink:stdout`;
    await world.connector(deployment);

    expect(await world.cloud.runtime().post(path, { name, values: {} })).toBeProblem('validation_failed');
  });
});
