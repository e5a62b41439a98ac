import { hashPassword } from '@libs/domain';
import { CHEAP_PASSWORDS, EventStream, eventually, given, TestCloud, type Person } from '@libs/testing';

const PASSWORD = 'a long enough phrase';
const NEW_PASSWORD = 'quite another phrase';

describe('A token of the console for a Supervisor', () => {
  let cloud: TestCloud;
  let deploymentId: number;
  let operationId: number;
  let made = 0;

  beforeAll(async () => {
    // Without workers, so that the deployment and its operation stay as they are.
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard', cluster: 'cluster' };
    const { headers } = await cloud.main().post(`${cloud.environment}/deployments/managed`, { name: 'one', ...shape });
    deploymentId = Number(headers.get('ld-deployment'));
    operationId = Number(headers.get('ld-operation'));
  });
  afterAll(() => cloud.stop());

  async function person(role = 'admin'): Promise<Person> {
    made += 1;
    return given.person(cloud, { email: `console-${made}@people.example`, member: { roles: [role] } });
  }
  const tokenOf = async (who: Person): Promise<string> => {
    const path = `${cloud.tenant}/supervisor_tokens`;
    return (await who.post(path, { supervisor_url: cloud.supervisor.url })).body.token;
  };
  const rules = () => `/deployments/${deploymentId}/access_rules`;
  const aRule = () => ({ name: `rule-${(made += 1)}`, cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } });
  const stream = (token: string): EventStream =>
    new EventStream(`${cloud.supervisor.url}${cloud.tenant}/operations/${operationId}/events`, token);

  it('reads and writes at the Supervisor, without a cookie and without a CSRF token', async () => {
    const who = await person();
    const keys =
      'select (select count(*) from api_keys)::int as keys, (select count(*) from api_key_uses)::int as uses';
    const before = await cloud.rows(keys);
    const api = cloud.runtime(await tokenOf(who));

    expect((await api.get(`/deployments/${deploymentId}`)).body).toMatchObject({ id: deploymentId });
    const created = await api.post(rules(), aRule(), { 'idempotency-key': 'a rule' });
    expect(created.status).toBe(201);
    expect((await api.delete(`${rules()}/${created.body.id}`)).status).toBe(204);

    const entries = await cloud.rows(
      `select type, author_id::int as author_id, author_name, api_key_id, api_key_name from audit_entries
        where author_id = $1 and type like 'access_rule_%' order by id`,
      [who.id],
    );
    const author = { author_id: who.id, author_name: 'Somebody', api_key_id: null, api_key_name: null };
    expect(entries).toEqual([
      { type: 'access_rule_added', ...author },
      { type: 'access_rule_deleted', ...author },
    ]);
    expect(await cloud.rows(keys)).toEqual(before);
  });

  it('opens no other tenant and not the main API', async () => {
    const { tenantId } = await given.tenant(cloud);
    const token = await tokenOf(await person());

    expect(await cloud.runtime(token).get(`/tenants/${tenantId}/operations`)).toBeProblem('tenant_not_found');
    for (const path of [cloud.tenant, '/account', `${cloud.tenant}/api_keys/context`, `${cloud.tenant}/operations`])
      expect(await cloud.main(token).get(path)).toBeProblem('unauthenticated');
    expect(await cloud.main(token).post(`${cloud.tenant}/supervisor_tokens`, {})).toBeProblem('unauthenticated');
  });

  it('opens no other Supervisor', async () => {
    const token = await tokenOf(await person());
    const other = await cloud.another('supervisor', { SUPERVISOR_CELL: 'north' });
    await other.start();
    try {
      const answer = await fetch(`${other.url}${cloud.tenant}/operations`, { headers: { 'ld-api-key': token } });

      expect(answer.status).toBe(401);
    } finally {
      await other.stop();
      await cloud.rows(`delete from cells where cell = 'north'`);
    }
  });

  it('holds what the user holds at the request: a viewer only reads', async () => {
    const api = cloud.runtime(await tokenOf(await person('viewer')));

    expect((await api.get(rules())).status).toBe(200);
    expect(await api.post(rules(), aRule())).toBeProblem('insufficient_permissions');
  });

  const ends: [string, (who: Person) => Promise<unknown>][] = [
    ['sign-out', (who) => who.delete('/account/sign_out')],
    ['removal', (who) => cloud.main().delete(`${cloud.tenant}/members/${who.id}`)],
    ['suspension', (who) => cloud.main().put(`${cloud.tenant}/members/${who.id}`, { active: false })],
    [
      'a change of the password by its own session',
      (who) => who.put('/account/password', { password: PASSWORD, new_password: NEW_PASSWORD }),
    ],
  ];
  it.each(ends)('ends at once with %s, and its stream', async (_, end) => {
    const who = await person();
    const hash = await hashPassword(PASSWORD, CHEAP_PASSWORDS);
    await cloud.rows('update users set password_hash = $2 where id = $1', [who.id, hash]);
    const token = await tokenOf(who);
    const open = stream(token);
    await eventually('the stream is open', async () => open.status === 200);
    expect((await cloud.runtime(token).get(rules())).status).toBe(200);

    expect(await end(who)).toMatchObject({ status: 204 });

    expect(await cloud.runtime(token).get(rules())).toBeProblem('unauthenticated');
    await open.ended;
    expect(await cloud.runtime(token).post(rules(), aRule())).toBeProblem('unauthenticated');
  });

  it('loses what the user loses by a demotion, and the stream ends', async () => {
    const who = await person();
    const token = await tokenOf(who);
    const role = (await cloud.main().post(`${cloud.tenant}/roles`, ROLE)).body.id as number;
    const open = stream(token);
    await eventually('the stream is open', async () => open.status === 200);

    const demoted = await cloud.main().put(`${cloud.tenant}/members/${who.id}`, { roles: [role] });

    expect(demoted.status).toBe(204);
    expect(await cloud.runtime(token).get(rules())).toBeProblem('insufficient_permissions');
    await open.ended;
  });

  it('counts against the rate of its user', async () => {
    const limited = await cloud.another('supervisor', { RATE_LIMIT: '3' });
    const who = await person();
    const [one, two] = [await tokenOf(who), await tokenOf(who)];
    await limited.start();
    try {
      const statuses = [];
      for (const token of [one, two, one, two])
        statuses.push((await fetch(`${limited.url}${rules()}`, { headers: { 'ld-api-key': token } })).status);

      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });

  it('works for pages of the main API, and for no other page', async () => {
    const token = await tokenOf(await person());
    const from = (origin: string) => cloud.runtime(token).get(rules(), { origin });
    const allowed = (await from(cloud.mainApi.url)).headers.get('access-control-allow-origin');

    expect(allowed).toBe(cloud.mainApi.url);
    for (const origin of ['null', `${cloud.mainApi.url}.attacker.example`, 'http://127.0.0.1'])
      expect((await from(origin)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

const ROLE = { name: 'reads the audit', permissions: { tenant: ['audit:read'], division: [], environment: [] } };
