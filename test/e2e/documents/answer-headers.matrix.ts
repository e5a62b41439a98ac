import type { ApiAnswer } from '@libs/testing';
import { CELLS, prepare, send, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';
import { headerFaults, NO_FAULTS, operationOf } from './declared-headers.js';

const described = CELLS.flatMap((cell) => {
  const operation = operationOf(cell);
  return operation ? [{ cell, operation, title: cell.title }] : [];
});

/** A generated client knows the headers that the API description declares, and no others. */
describe('The headers of an answer', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const ask = async (cell: Cell, key: string | null, headers = {}): Promise<ApiAnswer> => {
    const call = await prepare(cell, world);
    const session = key !== null && cell.access.kind === 'session_only' && call.who ? call.who.headers : {};
    const isWithKey = cell.access.kind !== 'session_only' && cell.access.kind !== 'public';
    return send(cell, world, call, isWithKey ? key : null, { ...session, ...headers });
  };

  it('are compared on nearly all routes', () => {
    expect(described.length).toBeGreaterThan(200);
  });

  it.each(described)('are the declared ones after a permitted call of $title', async ({ cell, operation }) => {
    const answer = await ask(cell, world.cloud.key);

    expect(answer.status).toBe(cell.row.status);
    expect(headerFaults(operation, answer)).toEqual(NO_FAULTS);
  });

  it.each(described.filter(({ cell }) => cell.access.kind !== 'public'))(
    'are the declared ones without a key at $title',
    async ({ cell, operation }) => {
      const answer = await ask(cell, null);

      expect(answer.status).toBe(401);
      expect(headerFaults(operation, answer)).toEqual(NO_FAULTS);
    },
  );

  const withBody = described.filter(({ operation }) => operation.requestBody);
  it.each(withBody)('are the declared ones of a body that is no object at $title', async ({ cell, operation }) => {
    const call = await prepare(cell, world);
    const session = call.who?.headers ?? {};
    const key = cell.access.kind === 'session_only' ? null : world.cloud.key;
    const answer = await send(cell, world, { ...call, body: [] }, key, session);

    expect(answer.status).toBe(400);
    expect(headerFaults(operation, answer)).toEqual(NO_FAULTS);
  });

  const reads = described.filter(({ cell, operation }) => cell.row.status === 200 && '304' in operation.responses);
  it.each(reads)('are the declared ones of an unchanged record of $title', async ({ cell, operation }) => {
    const answer = await ask(cell, world.cloud.key, { 'if-none-match': '*' });

    expect(answer.status).toBe(304);
    expect(headerFaults(operation, answer)).toEqual(NO_FAULTS);
  });

  it('name the wait when an operation is in the way, and are declared', async () => {
    const upgrade = described.find(({ title }) => title.endsWith(':deployment_id/upgrade'));
    if (!upgrade) throw new TypeError('there is no upgrade');
    const call = await prepare(upgrade.cell, world);
    const first = await send(upgrade.cell, world, call, world.cloud.key);
    const second = await send(upgrade.cell, world, { ...call, body: { tier: 'large' } }, world.cloud.key);

    expect([first.status, second.status]).toEqual([202, 409]);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headerFaults(upgrade.operation, second)).toEqual(NO_FAULTS);
  });
});
