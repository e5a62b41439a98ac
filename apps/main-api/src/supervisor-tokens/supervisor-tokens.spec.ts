import { readSupervisorToken } from '@libs/domain';
import { CellsRepository } from '@libs/persistence/organization';
import { given, type Person } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** The Supervisor of the fixture. */
const SUPERVISOR = 'http://127.0.0.1:4000';

describe('A token for a Supervisor', () => {
  let cloud: TestMainApi;
  let member: Person;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    member = await given.person(cloud, { email: 'member@people.example', member: { roles: ['viewer'] } });
  });
  afterAll(() => cloud.close());

  const create = (supervisor_url: unknown, who = member) =>
    who.post(`${cloud.tenant}/supervisor_tokens`, { supervisor_url });
  const cellOf = async (supervisor_url: string): Promise<string | undefined> =>
    readSupervisorToken((await create(supervisor_url)).body.token)?.claim.cell;

  it('names its user, session, tenant and Supervisor, and expires after 15 minutes', async () => {
    const before = Math.floor(Date.now() / 1000);

    const { status, body } = await create(SUPERVISOR);

    expect(status).toBe(200);
    const claim = readSupervisorToken(body.token)?.claim;
    expect(claim).toMatchObject({
      ...{ userId: member.id, sessionId: member.session.id, tenantId: cloud.installation.tenant_id, cell: 'local' },
    });
    expect((claim?.expiresAt ?? 0) - before).toBeGreaterThanOrEqual(900);
    expect((claim?.expiresAt ?? 0) - before).toBeLessThanOrEqual(905);
    expect(Date.parse(body.expires_at)).toBe((claim?.expiresAt ?? 0) * 1000);
    expect(body.supervisor_url).toBe(SUPERVISOR);
  });

  it('is for the Supervisor with the same origin, and with the same address if several have the origin', async () => {
    const [announcedCell] = await cloud.asSupervisor((database) => new CellsRepository(database).list());
    if (!announcedCell) throw new TypeError('the fixture announces a cell');
    const announce = (cell: string, url: string) =>
      cloud.asSupervisor((database) => new CellsRepository(database).announce({ ...announcedCell, cell, url }, true));
    await announce('north', 'https://cells.example/north');
    await announce('south', 'https://cells.example/south');
    try {
      expect(await cellOf(`${SUPERVISOR}/deployments/1?x=2#y`)).toBe('local');
      expect(await cellOf('https://cells.example/south')).toBe('south');
      expect(await cellOf('https://CELLS.example:443/north')).toBe('north');
    } finally {
      await cloud.rows(`delete from cells where cell <> 'local'`);
    }
  });

  it.each(['https://attacker.example', 'http://127.0.0.1:40000', 'https://127.0.0.1:4000', 'null', '', 'data:,x', 'x'])(
    'is refused for the unknown address %j',
    async (url) => {
      const refused = await create(url);

      expect(refused).toBeProblem('validation_failed');
      expect(refused.body.field_issues).toMatchObject([{ path: '/supervisor_url', code: 'unknown' }]);
    },
  );

  it('is refused to keys, to strangers, and without the CSRF token', async () => {
    const stranger = await given.person(cloud, { email: 'stranger@people.example' });
    const path = `${cloud.tenant}/supervisor_tokens`;
    const body = { supervisor_url: SUPERVISOR };

    expect(await cloud.main().post(path, body)).toBeProblem('api_key_not_allowed');
    expect(await create(SUPERVISOR, stranger)).toBeProblem('tenant_not_found');
    expect(await cloud.main(null).post(path, body, member.session.cookie)).toBeProblem('csrf_token_invalid');
  });

  it('is not stored for an idempotency key, and opens nothing here', async () => {
    const keyed = { 'idempotency-key': 'same' };
    const ask = () => member.post(`${cloud.tenant}/supervisor_tokens`, { supervisor_url: SUPERVISOR }, keyed);

    const [one, two] = [await ask(), await ask()];

    expect([one.status, two.status]).toEqual([200, 200]);
    expect(await cloud.rows('select 1 from idempotency_records')).toEqual([]);
    for (const path of [cloud.tenant, '/account', `${cloud.tenant}/api_keys/context`])
      expect(await cloud.main(one.body.token).get(path)).toBeProblem('unauthenticated');
    expect(cloud.mainApi.log()).not.toContain(one.body.token);
  });
});
