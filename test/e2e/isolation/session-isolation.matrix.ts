import { given } from '@libs/testing';
import { CELLS, prepare, send, type Cell } from '../matrix/routes.js';
import { World, type SignedIn } from '../matrix/world.js';

const titled = (cells: Cell[]): [string, Cell][] => cells.map((cell) => [cell.title, cell]);
const isWrite = ({ method }: Cell): boolean => method !== 'GET';
const hasTenant = ({ path }: Cell): boolean => path.includes(':tenant_id');
const closed = CELLS.filter(({ access }) => access.kind !== 'public');
const keysOnly = closed.filter(({ app, access }) => app === 'supervisor' || access.kind === 'key_only');
const sessionsOnly = closed.filter(({ access }) => access.kind === 'session_only');
const both = closed.filter((cell) => !keysOnly.includes(cell) && !sessionsOnly.includes(cell));

const isBeforeVerification = ({ access }: Cell): boolean => access.kind === 'session_only' && access.beforeVerification;

/** Every route × every kind of session: the part of the isolation matrix for cookies. */
describe('A session', () => {
  let world: World;
  let owner: SignedIn;
  let outsider: SignedIn;
  let ended: SignedIn;
  let late: SignedIn;
  let unverified: SignedIn;

  beforeAll(async () => {
    world = await World.start();
    [owner, outsider, ended, late, unverified] = [
      await world.signedIn('owner'),
      await world.signedIn('user'),
      await world.signedIn('owner'),
      await world.signedIn('owner'),
      await world.signedIn('user'),
    ];
    await given.membership(world.cloud, unverified.userId, { roles: ['owner'] });
    await world.cloud.rows('update users set email_verified_at = null where id = $1', [unverified.userId]);
    await world.cloud.rows('delete from sessions where id = $1', [ended.id]);
    await world.cloud.rows(`update sessions set expires_at = now() where id = $1`, [late.id]);
  });
  afterAll(() => world.stop());

  const ask = async (cell: Cell, headers: object, key: string | null = null) =>
    send(cell, world, await prepare(cell, world), key, headers);

  it.each(titled(keysOnly))('is refused at %s, which needs a key', async (_, cell) => {
    expect(await ask(cell, owner.headers)).toBeProblem('unauthenticated');
  });

  it.each(titled([...both, ...sessionsOnly]))('that has ended is refused at %s', async (_, cell) => {
    expect(await ask(cell, ended.headers)).toBeProblem('unauthenticated');
    expect(await ask(cell, late.headers)).toBeProblem('unauthenticated');
  });

  it.each(titled([...both, ...sessionsOnly]))('does not authenticate a wrong key at %s', async (_, cell) => {
    expect(await ask(cell, owner.headers, 'ld_wrong')).toBeProblem('unauthenticated');
  });

  it.each(titled([...both, ...sessionsOnly].filter((cell) => !isBeforeVerification(cell))))(
    'of a user without a verified address is refused at %s',
    async (_, cell) => {
      const call = await prepare(cell, world);

      expect(await send(cell, world, call, null, unverified.headers)).toBeProblem('email_not_verified', {
        status: 403,
      });
    },
  );

  it.each(titled([...both, ...sessionsOnly].filter(isWrite)))(
    'without its CSRF token changes nothing by %s',
    async (_, cell) => {
      const call = await prepare(cell, world);
      const { cookie } = call.who ?? owner;
      const other = outsider.headers['x-csrf-token'];

      expect(await send(cell, world, call, null, cookie)).toBeProblem('csrf_token_invalid');
      expect(await send(cell, world, call, null, { ...cookie, 'x-csrf-token': other })).toBeProblem(
        'csrf_token_invalid',
      );
    },
  );

  it.each(titled(both.filter(hasTenant)))('of another user finds no tenant at %s', async (_, cell) => {
    expect(await ask(cell, outsider.headers)).toBeProblem('tenant_not_found');
  });

  it.each(titled(both))('of the owner is accepted at %s', async (_, cell) => {
    const answer = await ask(cell, owner.headers);

    expect(cell.row.status < 400 ? (answer.body?.detail ?? '') : '').toBe('');
    expect(answer.status).toBe(cell.row.status);
  });

  for (const cell of sessionsOnly) it(`is required for ${cell.title}: a key is refused`, async () => opensAlone(cell));

  async function opensAlone(cell: Cell): Promise<void> {
    const call = await prepare(cell, world);
    const who = call.who ?? owner;

    expect(await send(cell, world, call, world.cloud.key, {})).toBeProblem('api_key_not_allowed');
    const answer = await send(cell, world, call, null, isWrite(cell) ? who.headers : who.cookie);
    expect(cell.row.status < 400 ? (answer.body?.detail ?? '') : '').toBe('');
    expect(answer.status).toBe(cell.row.status);
  }

  it('of an inactive member is treated like the session of an outsider', async () => {
    const member = await given.member(world.cloud, 'Ada');
    const session = await given.session(world.cloud, member.id);
    const read = async () => world.cloud.main(null).get(`${world.cloud.tenant}/structure`, session.cookie);
    expect((await read()).status).toBe(200);

    await world.cloud.rows('update members set active = false where user_id = $1', [member.id]);

    expect(await read()).toBeProblem('tenant_not_found');
  });
});
