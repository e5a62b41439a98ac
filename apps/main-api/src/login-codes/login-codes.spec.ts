import { createHash, randomBytes } from 'node:crypto';
import { SYSTEM_ROLE_TREES } from '@libs/domain';
import { eventually, given, type Person } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const DAY_MS = 86_400_000;
const REDIRECT = 'http://127.0.0.1:41234/';

/** What a command line keeps, and what it sends. */
function commandLine(name = `laptop ${randomBytes(4).toString('hex')}`) {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return { code_verifier, request: { name, code_challenge, redirect_uri: REDIRECT, state: 'as sent' } };
}

describe('A login code', () => {
  let cloud: TestMainApi;
  let owner: Person;
  let count = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    owner = await person('owner');
  });
  afterAll(() => cloud.close());

  const person = (role: string, divisionId?: number): Promise<Person> =>
    given.person(cloud, {
      email: `login-${(count += 1)}@people.example`,
      member: { roles: [role], ...(divisionId !== undefined && { divisionId }) },
    });
  const create = (as: Person, request: object) => as.post(`${cloud.tenant}/login_codes`, request);
  const codeIn = (redirectTo: string): string => new URL(redirectTo).searchParams.get('code') ?? '';
  const redeem = (code: string, code_verifier: string, redirect_uri = REDIRECT) =>
    cloud.main(null).post('/login_codes/redeem', { code, code_verifier, redirect_uri });

  /** A code of the person, and everything that a command line needs to use it. */
  async function coded(as = owner) {
    const { code_verifier, request } = commandLine();
    const { body } = await create(as, request);
    return { id: body.api_key_id as number, name: request.name, code: codeIn(body.redirect_to), code_verifier };
  }

  it('creates a key for 90 days, and hands over the secret to the program that asked', async () => {
    const { code_verifier, request } = commandLine();

    const created = await create(owner, request);

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-api-key')).toBe(String(created.body.api_key_id));
    expect(Object.keys(created.body).sort()).toEqual(['api_key_id', 'expires_at', 'redirect_to']);
    expect(JSON.stringify(created.body)).not.toContain('ld_');
    const { origin, searchParams } = new URL(created.body.redirect_to);
    expect(origin + '/').toBe(REDIRECT);
    expect(searchParams.get('state')).toBe('as sent');
    const { status, body } = await redeem(searchParams.get('code') ?? '', code_verifier);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: created.body.api_key_id,
      name: request.name,
      tenant_id: cloud.installation.tenant_id,
    });
    const { permissions, user_id, expiry_at } = (await cloud.main(body.secret).get(`${cloud.tenant}/api_keys/context`))
      .body;
    expect({ permissions, user_id }).toEqual({ permissions: SYSTEM_ROLE_TREES.owner, user_id: owner.id });
    const days = (Date.parse(expiry_at) - Date.now()) / DAY_MS;
    expect(days).toBeLessThanOrEqual(90);
    expect(days).toBeGreaterThan(89.9);
  });

  it('works once, also when two programs show it at the same time', async () => {
    const { code, code_verifier } = await coded();

    const answers = await Promise.all([redeem(code, code_verifier), redeem(code, code_verifier)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await redeem(code, code_verifier)).toBeProblem('login_code_invalid');
  });

  it('is worthless without the verifier and with another address, and stays valid for its program', async () => {
    const { code, code_verifier } = await coded();
    const other = randomBytes(32).toString('base64url');

    expect(await redeem(code, other)).toBeProblem('login_code_invalid');
    expect(await redeem(other, code_verifier)).toBeProblem('login_code_invalid');
    expect(await redeem(code, code_verifier, 'http://127.0.0.1:41235/')).toBeProblem('login_code_invalid');
    expect((await redeem(code, code_verifier)).status).toBe(200);
  });

  it('is stored only by its hash', async () => {
    const { id, code, code_verifier } = await coded();

    const [row] = await cloud.rows<object>('select * from login_codes where api_key_id = $1', [id]);

    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${code}|${code_verifier}`));
  });

  it('gives no more permissions than the person has', async () => {
    const { division_id } = cloud.installation;
    const { code, code_verifier } = await coded(await person('admin', division_id));

    const { secret, permissions } = (await redeem(code, code_verifier)).body;

    expect(permissions).toEqual(SYSTEM_ROLE_TREES.admin);
    const { body } = await cloud.main(secret).get(`${cloud.tenant}/api_keys/context`);
    expect(body.division_id).toBe(division_id);
    expect(await cloud.main(secret).post(`${cloud.tenant}/divisions`, { name: 'more' })).toBeProblem(
      'insufficient_permissions',
    );
  });

  it('gives a key that can delete itself, also to a person of one division', async () => {
    const { code, code_verifier } = await coded(await person('admin', cloud.installation.division_id));
    const { id, secret } = (await redeem(code, code_verifier)).body;

    expect((await cloud.main(secret).delete(`${cloud.tenant}/api_keys/${id}`)).status).toBe(204);
  });

  it('is refused to a key of one division whose owner is limited to another division', async () => {
    const admin = await person('admin');
    const { division_id } = cloud.installation;
    const other = (await admin.post(`${cloud.tenant}/divisions`, { name: 'other' })).body.id;
    const { code, code_verifier } = await coded(await person('admin', division_id));
    const { id, secret } = (await redeem(code, code_verifier)).body;
    await cloud.rows(
      `update members m set division_id = $2 from api_keys k where k.id = $1 and m.user_id = k.user_id and m.tenant_id = k.tenant_id`,
      [id, other],
    );

    expect(await cloud.main(secret).post(`${cloud.tenant}/login_codes`, commandLine().request)).toBeProblem(
      'division_not_found',
    );
  });

  it('ends with a rotation of its key, and the rotated key stays', async () => {
    const { id, code, code_verifier } = await coded();

    const { status, body } = await owner.post(`${cloud.tenant}/api_keys/${id}/rotate`, {});

    expect(status).toBe(200);
    expect(await redeem(code, code_verifier)).toBeProblem('login_code_invalid');
    expect(await cloud.rows('select 1 from login_codes where api_key_id = $1', [id])).toEqual([]);
    expect((await cloud.main(body.secret).get(`${cloud.tenant}/api_keys/context`)).status).toBe(200);
  });

  it('does not block a deletion of its key at the same time', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, () => coded()));

    const answers = await Promise.all(
      codes.flatMap(({ id, code, code_verifier }) => [
        redeem(code, code_verifier),
        owner.delete(`${cloud.tenant}/api_keys/${id}`),
      ]),
    );

    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 400].includes(status))).toEqual([]);
  });

  it('is refused to a person who may not create keys, and leaves no key', async () => {
    const viewer = await person('viewer');
    const { request } = commandLine();

    expect(await create(viewer, request)).toBeProblem('insufficient_permissions', { permission: 'api_key:manage' });

    expect(await cloud.rows('select 1 from api_keys where name = $1', [request.name])).toEqual([]);
  });

  it.each([
    ['another host', 'http://example.com:80/'],
    ['a host that begins like this computer', 'http://127.0.0.1.example.com:80/'],
    ['a login in the address', 'http://127.0.0.1:80@example.com:80/'],
    ['the name localhost, which can mean another computer', 'http://localhost:41234/'],
    ['no port', 'http://127.0.0.1/'],
    ['an impossible port', 'http://127.0.0.1:99999/'],
    ['another scheme', 'javascript:alert(1)'],
    ['a path that a server here could redirect to another host', 'http://127.0.0.1:41234//example.com/..'],
    ['a path with a parent folder', 'http://127.0.0.1:41234/login/..'],
    ['a query', 'http://127.0.0.1:41234/?code=mine'],
    ['a fragment', 'http://127.0.0.1:41234/#code'],
    ['a line break at its end', 'http://127.0.0.1:41234/\n'],
  ])('goes to a port of this computer only: %s is refused', async (_, redirect_uri) => {
    const refused = await create(owner, { ...commandLine().request, redirect_uri });

    expect(refused).toBeProblem('validation_failed');
    expect(refused.body.field_issues[0].path).toBe('/redirect_uri');
  });

  it('also goes to a port of this computer by IPv6', async () => {
    const { status } = await create(owner, { ...commandLine().request, redirect_uri: 'http://[::1]:41234/login' });

    expect(status).toBe(201);
  });

  it('is recorded as the creation of a key by the person', async () => {
    const { name } = await coded();

    const entries = await entriesOf(name);

    expect(entries).toEqual([{ type: 'api_key_created', author_id: owner.id }]);
  });

  it('takes its key along after two minutes, unless it was used', async () => {
    const [unused, used, recent] = [await coded(), await coded(), await coded()];
    await redeem(used.code, used.code_verifier);
    const roles = 'select count(*)::int as count from roles where name = $1';
    await cloud.rows(`update login_codes set expires_at = now() - interval '1 second' where api_key_id <> $1`, [
      recent.id,
    ]);
    expect(await redeem(unused.code, unused.code_verifier)).toBeProblem('login_code_invalid');

    const worker = await cloud.another({ LANDLORD_ROLE: 'worker' });
    const isThere = async (id: number): Promise<boolean> =>
      (await owner.get(`${cloud.tenant}/api_keys/${id}`)).status === 200;
    try {
      await eventually('the key of the unused code is deleted', async () => !(await isThere(unused.id)));
    } finally {
      await worker.close();
    }

    expect([await isThere(used.id), await isThere(recent.id)]).toEqual([true, true]);
    expect(await cloud.rows(roles, [unused.name])).toEqual([{ count: 0 }]);
    expect(await entriesOf(unused.name)).toEqual([
      { type: 'api_key_created', author_id: owner.id },
      { type: 'api_key_deleted', author_id: null },
    ]);
  });

  const entriesOf = (name: string) =>
    cloud.rows(
      `select type, author_id::int as author_id from audit_entries where data->>'name' = $1 and type like 'api_key_%' order by id`,
      [name],
    );
});
