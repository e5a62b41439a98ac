import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const DEPLOYER = { environment: ['deployment:manage'] };

describe('Roles', () => {
  let cloud: TestMainApi;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
  });
  afterAll(() => cloud.close());

  const roles = (): string => `${cloud.tenant}/roles`;
  const create = async (name: string, permissions: object = DEPLOYER) =>
    cloud.main().post(roles(), { name, permissions });
  const idOf = async (name: string): Promise<number> => {
    const { body } = await cloud.main().get(`${roles()}?results=100`);
    return body.items.find((role: { name: string }) => role.name === name).id;
  };

  it('exist in every tenant from the start, and these system roles cannot be changed', async () => {
    const { body } = await cloud.main().get(`${roles()}?kind=system`);
    const path = `${roles()}/${await idOf('viewer')}`;

    expect(body.items.map(({ name }: { name: string }) => name).sort()).toEqual([
      'admin',
      'billing',
      'developer',
      'owner',
      'viewer',
    ]);
    expect(await cloud.main().put(path, { name: 'reader' })).toBeProblem('system_role_immutable');
    expect(await cloud.main().delete(path)).toBeProblem('system_role_immutable');
  });

  it('are created, changed and deleted', async () => {
    const created = await create('deployer');
    const path = created.headers.get('location') ?? '';

    expect(created.status).toBe(201);
    expect(created.headers.get('ld-role')).toBe(String(created.body.id));
    expect(created.body).toMatchObject({ kind: 'custom', permissions: { environment: ['deployment:manage'] } });
    expect(await create('Deployer')).toBeProblem('name_taken', { id: created.body.id });
    const before = await cloud.rows('select count(*) from audit_entries');
    expect((await cloud.main().put(path, created.body)).status).toBe(204);
    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
    expect((await cloud.main().put(path, { permissions: { environment: ['deployment:read'] } })).status).toBe(204);
    expect((await cloud.main().get(path)).body.permissions.environment).toEqual(['deployment:read']);
    expect((await cloud.main().delete(path)).status).toBe(204);
    expect(await cloud.main().get(path)).toBeProblem('role_not_found');
  });

  it('are found by a part of the name, without wildcards', async () => {
    await create('50%_Found');
    await create('50 found');
    const other = await given.tenant(cloud);
    const outside = await given.key(cloud, { tenantId: other.tenantId });
    const foreign = { name: '50%_Found', permissions: DEPLOYER };
    expect((await cloud.main(outside).post(`/tenants/${other.tenantId}/roles`, foreign)).status).toBe(201);
    const named = async (query: string): Promise<string[]> =>
      (await cloud.main().get(`${roles()}?${query}`)).body.items.map(({ name }: { name: string }) => name);

    expect(await named('name=FOUND')).toEqual(['50 found', '50%_Found']);
    expect(await named('name=50%25')).toEqual(['50%_Found']);
    expect(await named('name=_f')).toEqual(['50%_Found']);
    expect(await named('name=50%25found')).toEqual([]);
    expect(await named('name=FOUND&kind=system')).toEqual([]);
    expect(await named('name=view&kind=system')).toEqual(['viewer']);
    expect((await cloud.main().get(`${roles()}?name=found&page=2`)).body).toMatchObject({
      items: [],
      total_results: 2,
    });
    expect(await cloud.main().get(`${roles()}?name=${'a'.repeat(101)}`)).toBeProblem('validation_failed');
  });

  it('change the permissions of their keys immediately', async () => {
    const role = (await create('instant', { tenant: ['info:read'] })).body;
    const expiry_at = new Date(Date.now() + 86_400_000).toISOString();
    const key = (await cloud.main().post(`${cloud.tenant}/api_keys`, { name: 'k', role_id: role.id, expiry_at })).body;
    expect((await cloud.main(key.secret).get(cloud.tenant)).status).toBe(200);

    await cloud.main().put(`${roles()}/${role.id}`, { permissions: { tenant: ['audit:read'] } });

    expect(await cloud.main(key.secret).get(cloud.tenant)).toBeProblem('insufficient_permissions');
    expect(await cloud.main().delete(`${roles()}/${role.id}`)).toBeProblem('not_empty', { api_keys: 1 });
  });

  it('apply exactly to the divisions that they name', async () => {
    const { division_id, environment_id } = cloud.installation;
    const grant = { permissions: ['division:read'], environments: { [environment_id]: ['deployment:read'] } };

    const created = await create('exact', { divisions: { [division_id]: grant } });

    expect(created.body.permissions.divisions).toEqual({ [division_id]: { ...grant, environment: [] } });
    expect(await create('none', { divisions: { 999: grant } })).toBeProblem('division_not_found');
    const stray = { environments: { 999: ['deployment:read'] } };
    expect(await create('stray', { divisions: { [division_id]: stray } })).toBeProblem('environment_not_found');
    expect(await create('word', { divisions: { one: grant } })).toBeProblem('validation_failed');
  });

  it('are assigned to members and revoked, each once', async () => {
    const member = await given.member(cloud, 'Ada');
    const role = `${roles()}/${(await create('assigned')).body.id}`;
    const assign = async (verb: string) => cloud.main().put(`${role}/members/${verb}`, { members: [member.id] });

    expect((await assign('assign')).status).toBe(204);
    expect((await assign('assign')).status).toBe(204);
    expect((await cloud.main().get(`${role}/members`)).body.items).toMatchObject([
      { id: member.id, name: 'Ada', active: true, owner: false, roles: [{ name: 'assigned' }] },
    ]);
    expect(await cloud.main().delete(role)).toBeProblem('not_empty', { members_count: 1 });
    expect((await assign('revoke')).status).toBe(204);
    expect((await cloud.main().get(`${role}/members`)).body.items).toEqual([]);
    const entries = await cloud.rows(`select type, user_name from audit_entries where user_id = $1 order by id`, [
      member.id,
    ]);
    expect(entries).toEqual([
      { type: 'role_assigned', user_name: 'Ada' },
      { type: 'role_revoked', user_name: 'Ada' },
    ]);
    const answer = await cloud.main().put(`${role}/members/assign`, { members: [999_999] });
    expect(answer).toBeProblem('member_not_found');
  });

  it('cannot be revoked from the owner', async () => {
    const [owner] = await cloud.rows<{ owner_id: number }>('select owner_id::int from tenants where id = $1', [
      cloud.installation.tenant_id,
    ]);
    const revoke = `${roles()}/${await idOf('owner')}/members/revoke`;

    expect(await cloud.main().put(revoke, { members: [owner?.owner_id] })).toBeProblem('owner_required');
  });

  it('do not allow an escalation of privileges', async () => {
    const key = await given.key(cloud, { permissions: { tenant: ['role:manage', 'role:read', 'info:read'] } });
    const member = await given.member(cloud, 'Eve');
    const as = cloud.main(key);
    const mine = (await as.post(roles(), { name: 'mine', permissions: { tenant: ['info:read'] } })).body;

    const answer = await as.post(roles(), { name: 'more', permissions: { tenant: ['info:read', 'audit:read'] } });
    const edited = await as.put(`${roles()}/${mine.id}`, { permissions: { tenant: ['billing:manage'] } });
    const given_ = await as.put(`${roles()}/${await idOf('admin')}/members/assign`, { members: [member.id] });

    expect(answer).toBeProblem('insufficient_permissions', { permission: 'audit:read' });
    expect(edited).toBeProblem('insufficient_permissions', { permission: 'billing:manage' });
    expect(given_).toBeProblem('insufficient_permissions', { permission: 'info:manage' });
  });
});
