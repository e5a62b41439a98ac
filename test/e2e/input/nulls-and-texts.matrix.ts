import { bodyMembers, withMember, type BodyMember } from '../matrix/bodies.js';
import { CELLS, prepare, send, type Call, type Cell } from '../matrix/routes.js';
import { World } from '../matrix/world.js';
import type { ApiAnswer } from '@libs/testing';

const withBody = CELLS.filter((cell) => bodyMembers(cell).length > 0);
const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const pointerOf = ({ path }: BodyMember): string => `/${path.join('/')}`;

/** A schedule is no text of a person: an empty one stays refused. */
const isFreeText = ({ schema, path, isNullable }: BodyMember): boolean =>
  isNullable && [schema.type].flat().includes('string') && schema.format !== 'date-time' && path.at(-1) !== 'cron';
const withFreeText = withBody.filter((cell) => bodyMembers(cell).some(isFreeText));

/** What an earlier release could store for no text, in columns that can be null. */
const EMPTIED = [
  ...['access_rules', 'backups', 'cloud_accounts', 'notification_channels'].map(
    (table) => `update ${table} set remarks = ''`,
  ),
  `update payment_methods set reference = ''`,
  `update billing_infos set company = '', tax_id = '', purchase_order = '',
     address = '{"line_1": "", "line_2": "", "city": "", "postal_code": ""}'`,
];
const STORABLE = [
  'remarks',
  'reference',
  'company',
  'tax_id',
  'purchase_order',
  'line_1',
  'line_2',
  'city',
  'postal_code',
];

const memberOf = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((place, name) => (place as Record<string, unknown> | null)?.[name], record);

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
      const body = withMember(call.body, member.path, null);
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
      const body = withMember(call.body, member.path, null);
      if (!body) continue;
      const answer = await ask(cell, call, body);
      expect({ member: pointerOf(member), status: answer.status, body: answer.body }).toEqual({
        member: pointerOf(member),
        status: cell.row.status,
        body: answer.body,
      });
    }
  });

  /** The member in the record that the write made or changed. Reads the record at its address, or as the newest of its list. */
  const shownAfter = async (cell: Cell, call: Call, { headers }: ApiAnswer, member: string[]): Promise<unknown> => {
    const client = cell.app === 'main-api' ? world.cloud.main() : world.cloud.runtime();
    const path = call.path.replace(/\/managed$/, '');
    const places = [headers.get('location'), path, `${path}/${headers.get('ld-deployment')}`];
    for (const place of places.filter((one) => one !== null)) {
      const { body } = await client.get(place);
      const text = memberOf([body.items ?? body].flat()[0], member);
      if (text !== undefined) return text;
    }
    return undefined;
  };

  it('has free texts on the routes that this test knows', () => {
    expect(withFreeText.length).toBeGreaterThanOrEqual(20);
  });

  it.each(titled(withFreeText))('stores an empty text and an absent one as null at %s', async (_, cell) => {
    for (const { path } of bodyMembers(cell).filter(isFreeText)) {
      if (cell.row.needed?.includes(`/${path.join('/')}`)) continue;
      // A text that is left out of a change is unchanged.
      for (const given of cell.method === 'PUT' ? [''] : ['', undefined]) {
        const call = await prepare(cell, world);
        const body = withMember(call.body, path, given);
        if (!body) continue;
        const answer = await ask(cell, call, body);
        expect({ path, given, body: answer.body, status: answer.status }).toMatchObject({ status: cell.row.status });
        expect({ path, given, shown: await shownAfter(cell, call, answer, path) }).toMatchObject({ shown: null });
      }
    }
  });

  it.each(titled(withFreeText))('shows an empty text of an earlier release as null after %s', async (_, cell) => {
    const call = await prepare(cell, world);
    const answer = await ask(cell, call, call.body ?? {});
    for (const statement of EMPTIED) await world.cloud.rows(statement);

    for (const { path } of bodyMembers(cell).filter(isFreeText))
      if (STORABLE.includes(path.at(-1) ?? ''))
        expect({ path, shown: await shownAfter(cell, call, answer, path) }).toMatchObject({ shown: null });
  });

  it.each(titled(withBody))('refuses half a surrogate pair and NUL in every text at %s', async (_, cell) => {
    const call = await prepare(cell, world);

    for (const member of bodyMembers(cell))
      for (const text of ['x\ud800y', '\udc00', 'x\0y']) {
        const body = withMember(call.body, member.path, text);
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
