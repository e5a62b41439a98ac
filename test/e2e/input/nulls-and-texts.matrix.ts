import { bodyMembers, type BodyMember } from '../matrix/bodies.js';
import { CELLS, prepare, send, type Call, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';
import type { ApiAnswer } from '@libs/testing';

const withBody = CELLS.filter((cell) => bodyMembers(cell).length > 0);
const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const pointerOf = ({ path }: BodyMember): string => `/${path.join('/')}`;

/** A copy of the body with one member replaced; null where the body has no object to put the member into. */
function replaced(body: object | undefined, path: readonly string[], value: unknown): object | null {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>;
  let place = copy;
  for (const name of path.slice(0, -1)) {
    const next = place[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return null;
    place = next as Record<string, unknown>;
  }
  place[path.at(-1) ?? ''] = value;
  return copy;
}

const issuePaths = ({ body }: ApiAnswer): string[] =>
  (body?.field_issues ?? []).map(({ path }: { path: string }) => path);

describe('The body of a write', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const ask = async (cell: Cell, call: Call, body: object): Promise<ApiAnswer> => {
    const session = cell.access.kind === 'session_only' && call.who ? call.who.headers : {};
    const key = cell.access.kind === 'session_only' || cell.access.kind === 'public' ? null : world.cloud.key;
    return send(cell, world, { ...call, body }, key, session);
  };

  it.each(titled(withBody))('refuses null in every member that is not nullable at %s', async (_, cell) => {
    const call = await prepare(cell, world);

    for (const member of bodyMembers(cell).filter(({ isNullable }) => !isNullable)) {
      const body = replaced(call.body, member.path, null);
      if (!body) continue;
      const answer = await ask(cell, call, body);
      expect({ member: pointerOf(member), answer }).toEqual({
        member: pointerOf(member),
        answer: expect.objectContaining({ status: 400 }),
      });
      expect(issuePaths(answer)).toContain(pointerOf(member));
    }
  });

  it.each(titled(withBody))('accepts null in every nullable member at %s', async (_, cell) => {
    for (const member of bodyMembers(cell).filter(({ isNullable }) => isNullable)) {
      if (cell.row.needed?.includes(pointerOf(member))) continue;
      const call = await prepare(cell, world);
      const body = replaced(call.body, member.path, null);
      if (!body) continue;
      const answer = await ask(cell, call, body);
      expect({ member: pointerOf(member), status: answer.status, body: answer.body }).toEqual({
        member: pointerOf(member),
        status: cell.row.status,
        body: answer.body,
      });
    }
  });

  it.each(titled(withBody))('refuses half a surrogate pair and NUL in every text at %s', async (_, cell) => {
    const call = await prepare(cell, world);

    for (const member of bodyMembers(cell))
      for (const text of ['x\ud800y', '\udc00', 'x\0y']) {
        const body = replaced(call.body, member.path, text);
        if (!body) continue;
        const answer = await ask(cell, call, body);
        expect(answer).toBeProblem('validation_failed', { status: 400 });
        expect(issuePaths(answer)).toEqual([pointerOf(member)]);
      }
  });

  it.each(titled(withBody))('refuses the member names of Object.prototype at %s', async (_, cell) => {
    const call = await prepare(cell, world);
    const names = ['toString', 'hasOwnProperty', 'valueOf', 'constructor', '__proto__'];

    for (const name of names) {
      const raw = JSON.stringify({ ...call.body, marker: 0 }).replace('"marker":0', `"${name}":1`);
      const answer = await ask(cell, call, JSON.parse(raw) as object);
      expect(answer).toBeProblem('validation_failed', { status: 400 });
      expect(issuePaths(answer)).toEqual([`/${name}`]);
    }
  });
});
