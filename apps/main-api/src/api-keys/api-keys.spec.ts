import { eventually, given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const keyBody = (more: object): object => ({ name: 'ci', expiry_at: inDays(30), ...more });
const READ = { tenant: ['info:read'], environment: ['deployment:read'] };

describe('API keys', () => {
  let cloud: TestMainApi;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => cloud.close());

  const keys = (): string => `${cloud.tenant}/api_keys`;
  const create = async (more: object, key = cloud.key) => cloud.main(key).post(keys(), keyBody(more));
  const roleNamed = async (name: string): Promise<number> => {
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?results=100`);
    return body.items.find((role: { name: string }) => role.name === name).id;
  };

  it('are created with their own permissions', async () => {
    const created = await create({ permissions: READ, division_id: cloud.installation.division_id });
    const { secret, ...record } = created.body;

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-api-key')).toBe(String(record.id));
    expect(record.permissions).toEqual({
      tenant: ['info:read'],
      division: [],
      environment: ['deployment:read'],
      divisions: {},
    });
    expect((await cloud.main(secret).get(cloud.tenant)).status).toBe(200);
    expect(await cloud.main(secret).get(`${cloud.tenant}/divisions`)).toBeProblem('insufficient_permissions');
    const read = await cloud.main().get(created.headers.get('location') ?? '');
    expect(read.body).toEqual({ ...record, last_used_at: read.body.last_used_at });
    expect(JSON.stringify((await cloud.main().get(keys())).body)).not.toContain(secret);
    expect((await cloud.rows('select 1 from api_keys where secret_hash = $1', [secret])).length).toBe(0);
  });

  it('are created with an existing role', async () => {
    const { body } = await create({ role_id: await roleNamed('viewer') });

    expect(body).toMatchObject({ role_name: 'viewer', division_id: null });
    expect((await cloud.main(body.secret).get(`${cloud.tenant}/divisions`)).status).toBe(200);
  });

  it.each([
    ['neither role nor permissions', {}, '/role_id'],
    ['both', { role_id: 1, permissions: READ }, '/permissions'],
    ['a permission in a wrong group', { permissions: { division: ['info:read'] } }, '/permissions/division/0'],
    ['no permission at all', { permissions: {} }, '/permissions'],
    ['an unknown one', { permissions: { tenant: ['all'] } }, '/permissions/tenant/0'],
    ['an expiry in the past', { permissions: READ, expiry_at: inDays(-1) }, '/expiry_at'],
    ['an expiry too far ahead', { permissions: READ, expiry_at: inDays(366) }, '/expiry_at'],
    ['an address without its check', { permissions: READ, allowed_ips: ['10.0.0.1'] }, '/allowed_ips'],
    ['a check without address', { permissions: READ, validate_ip: true }, '/allowed_ips'],
    [
      'a network with bits of hosts',
      { permissions: READ, validate_ip: true, allowed_ips: ['127.0.0.1/0'] },
      '/allowed_ips/0',
    ],
    ['no address', { permissions: READ, validate_ip: true, allowed_ips: ['10.0.0.1', '010.1'] }, '/allowed_ips/1'],
    ['an unknown member', { permissions: READ, scope: 7 }, '/scope'],
  ])('are refused with %s', async (_, more, path) => {
    const refused = await create(more);

    expect(refused).toBeProblem('validation_failed');
    expect(refused.body.field_issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('are found by a part of the name, without wildcards', async () => {
    const { division_id } = cloud.installation;
    await create({ name: '50%_Found', permissions: READ });
    await create({ name: '50 found', permissions: READ, division_id });
    const other = await given.tenant(cloud);
    const outside = await given.key(cloud, { tenantId: other.tenantId });
    const foreign = { ...keyBody({ permissions: READ }), name: '50%_Found' };
    expect((await cloud.main(outside).post(`/tenants/${other.tenantId}/api_keys`, foreign)).status).toBe(201);
    const named = async (query: string, key = cloud.key): Promise<string[]> =>
      (await cloud.main(key).get(`${keys()}?${query}`)).body.items.map(({ name }: { name: string }) => name);

    expect(await named('name=FOUND')).toEqual(['50 found', '50%_Found']);
    expect(await named('name=50%25')).toEqual(['50%_Found']);
    expect(await named('name=_f')).toEqual(['50%_Found']);
    expect(await named('name=50%25found')).toEqual([]);
    const inDivision = await given.key(cloud, { permissions: { tenant: ['api_key:read'] }, divisionId: division_id });
    expect(await named('name=found', inDivision)).toEqual(['50 found']);
    expect((await cloud.main().get(`${keys()}?name=found&page=2`)).body).toMatchObject({ items: [], total_results: 2 });
    expect(await cloud.main().get(`${keys()}?name=${'a'.repeat(101)}`)).toBeProblem('validation_failed');
  });

  it('refuse client addresses outside their list, as reported by the trusted proxy', async () => {
    const allowed_ips = ['203.0.113.0/24', '2001:db8::1'];
    const { secret } = (await create({ permissions: READ, validate_ip: true, allowed_ips })).body;
    const from = async (address: string) => cloud.main(secret).get(cloud.tenant, { 'x-forwarded-for': address });

    expect((await from('203.0.113.9')).status).toBe(200);
    expect((await from('2001:DB8:0::1')).status).toBe(200);
    expect(await from('198.51.100.1')).toBeProblem('ip_not_allowed', { ip: '198.51.100.1' });
    expect(await from('203.0.113.9, 198.51.100.1')).toBeProblem('ip_not_allowed', { ip: '198.51.100.1' });
  });

  it('can be restricted and unrestricted, and a repeat of the same request changes nothing', async () => {
    const { body } = await create({ permissions: READ });
    const path = `${keys()}/${body.id}`;
    const restrict = async (security: object) => cloud.main().put(`${path}/security`, security);

    expect((await restrict({ validate_ip: true, allowed_ips: ['198.51.100.7'] })).status).toBe(204);
    expect(await cloud.main(body.secret).get(cloud.tenant)).toBeProblem('ip_not_allowed');
    const before = await cloud.rows('select count(*) from audit_entries');
    expect((await restrict((await cloud.main().get(path)).body)).status).toBe(204);
    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
    expect((await restrict({ validate_ip: false })).status).toBe(204);
    expect((await cloud.main().get(path)).body).toMatchObject({ validate_ip: false, allowed_ips: [] });
    expect((await cloud.main(body.secret).get(cloud.tenant)).status).toBe(200);
  });

  it('are changed by who has read them before their last use, and not by who has read an older restriction', async () => {
    const { body } = await create({ permissions: READ });
    const path = `${keys()}/${body.id}`;
    const unused = await cloud.main().get(path);
    await cloud.main(body.secret).get(cloud.tenant);
    const used = await eventually('the use is noted', async () => {
      const answer = await cloud.main().get(path, { 'if-none-match': unused.headers.get('etag') ?? '' });
      return answer.status === 200 ? answer : undefined;
    });
    const restrict = async (address: string) =>
      cloud
        .main()
        .put(
          `${path}/security`,
          { validate_ip: true, allowed_ips: [address] },
          { 'if-match': unused.headers.get('etag') ?? '' },
        );

    expect([unused.body.last_used_at, used.body.last_used_at]).toEqual([null, expect.stringMatching(/Z$/)]);
    expect((await restrict('198.51.100.7')).status).toBe(204);
    expect(await restrict('198.51.100.8')).toBeProblem('precondition_failed');
    expect((await cloud.main().get(path)).body.allowed_ips).toEqual(['198.51.100.7']);
  });

  it('are rotated with an overlap in which both secrets work', async () => {
    const { body } = await create({ permissions: READ });
    const works = async (secret: string) => (await cloud.main(secret).get(cloud.tenant)).status === 200;

    const rotated = await cloud.main().post(`${keys()}/${body.id}/rotate`, { overlap_seconds: 600 });
    expect(rotated.body).toMatchObject({ id: body.id, role_id: body.role_id, expiry_at: body.expiry_at });
    expect([await works(body.secret), await works(rotated.body.secret)]).toEqual([true, true]);

    const again = await cloud.main().post(`${keys()}/${body.id}/rotate`);
    const secrets = [body.secret, rotated.body.secret, again.body.secret];
    expect(await Promise.all(secrets.map(works))).toEqual([false, false, true]);
  });

  it('stop working immediately after their deletion, and their role is deleted', async () => {
    const { body } = await create({ permissions: READ });

    expect((await cloud.main().delete(`${keys()}/${body.id}`)).status).toBe(204);

    expect(await cloud.main(body.secret).get(cloud.tenant)).toBeProblem('unauthenticated');
    expect(await cloud.main().get(`${keys()}/${body.id}`)).toBeProblem('api_key_not_found');
    expect(await cloud.rows('select 1 from roles where id = $1', [body.role_id])).toEqual([]);
  });

  it('show when they were last used', async () => {
    const { body } = await create({ permissions: READ });
    await cloud.main(body.secret).get(cloud.tenant);

    const used = await eventually('the use is written', async () => {
      const read = await cloud.main().get(`${keys()}/${body.id}`);
      return read.body.last_used_at;
    });

    expect(Math.abs(Date.now() - Date.parse(used))).toBeLessThan(60_000);
  });

  describe('never give more than the permissions of their creator', () => {
    const maker = async (permissions: object, divisionId?: number): Promise<string> =>
      given.key(cloud, { permissions, ...(divisionId && { divisionId }) });

    it('by permissions: the refusal names the first missing one', async () => {
      const key = await maker({ tenant: ['api_key:manage', 'info:read'] });

      const refused = await create({ permissions: { tenant: ['info:read', 'audit:read'] } }, key);

      expect(refused).toBeProblem('insufficient_permissions', { permission: 'audit:read' });
      expect((await create({ permissions: { tenant: ['info:read'] } }, key)).status).toBe(201);
    });

    it('by a role', async () => {
      const key = await maker({ tenant: ['api_key:manage'] });

      expect(await create({ role_id: await roleNamed('viewer') }, key)).toBeProblem('insufficient_permissions');
    });

    it('by a wider, another or no division', async () => {
      const division = cloud.installation.division_id;
      const other = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'other' })).body.id;
      const key = await maker({ tenant: ['api_key:manage', 'info:read'], division: ['deployment:read'] }, division);
      const permissions = { division: ['deployment:read'] };

      expect((await create({ permissions, division_id: division }, key)).status).toBe(201);
      expect(await create({ permissions }, key)).toBeProblem('insufficient_permissions', {
        permission: 'deployment:read',
      });
      expect(await create({ permissions: { tenant: ['info:read'] } }, key)).toBeProblem('insufficient_permissions');
      expect(await create({ permissions, division_id: other }, key)).toBeProblem('division_not_found');
    });

    it('by rotation of a stronger key', async () => {
      const key = await maker({ tenant: ['api_key:manage', 'api_key:read'] });
      const strong = (await create({ permissions: { tenant: ['billing:manage'] } })).body;

      const refused = await cloud.main(key).post(`${keys()}/${strong.id}/rotate`);

      expect(refused).toBeProblem('insufficient_permissions', { permission: 'billing:manage' });
      expect((await cloud.main(strong.secret).get(`${keys()}/context`)).status).toBe(200);
    });

    it('and hide keys outside the division of the caller', async () => {
      const key = await maker({ tenant: ['api_key:manage', 'api_key:read'] }, cloud.installation.division_id);
      const wide = (await create({ permissions: READ })).body;

      expect(await cloud.main(key).delete(`${keys()}/${wide.id}`)).toBeProblem('api_key_not_found');
      const { items } = (await cloud.main(key).get(`${keys()}?results=100`)).body;
      expect(items.map(({ division_id }: { division_id: number }) => division_id)).not.toContain(null);
    });
  });
});
