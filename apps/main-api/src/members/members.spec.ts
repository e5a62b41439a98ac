import { eventually, EventStream, given, type MembershipOptions, type Person } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('Members', () => {
  let cloud: TestMainApi;
  let roleIds: Record<string, number>;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?kind=system`);
    roleIds = Object.fromEntries(body.items.map(({ name, id }: { name: string; id: number }) => [name, id]));
  });
  afterAll(() => cloud.close());

  const roleId = (name: string): number => roleIds[name] ?? 0;
  const members = (): string => `${cloud.tenant}/members`;
  const person = (name: string, member: MembershipOptions = {}): Promise<Person> =>
    given.person(cloud, { email: `${name}@people.example`, name, member });
  const pathOf = ({ id }: Person): string => `${members()}/${id}`;
  const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
  const keyOf = async (who: Person, permissions: object): Promise<{ id: number; secret: string; role_id: number }> =>
    (await who.post(`${cloud.tenant}/api_keys`, { name: 'mine', expiry_at: tomorrow(), permissions })).body;
  const entries = (type: string) => cloud.rows<any>('select * from audit_entries where type = $1 order by id', [type]);
  const counts = () =>
    cloud.rows('select (select count(*) from audit_entries) as audit, (select count(*) from outbox) as events');

  it('are listed newest first, in pages, and can be filtered by `active`', async () => {
    // The members of other tests.
    await cloud.rows('delete from members where user_id not in (select owner_id from tenants)');
    const ada = await person('ada', { roles: ['developer', 'billing'] });
    const bob = await person('bob');
    await cloud.rows('update members set active = false where user_id = $1', [bob.id]);

    const all = (await cloud.main().get(members())).body;

    expect(all.items.map(({ id }: { id: number }) => id)).toEqual([bob.id, ada.id, expect.any(Number)]);
    expect(all.items[1]).toEqual({
      id: ada.id,
      email: 'ada@people.example',
      name: 'ada',
      active: true,
      owner: false,
      division_id: null,
      roles: [
        { id: roleId('developer'), name: 'developer' },
        { id: roleId('billing'), name: 'billing' },
      ],
      created_at: expect.stringMatching(/Z$/),
    });
    expect(all.items[2]).toMatchObject({ owner: true, roles: [{ name: 'owner' }] });
    expect((await cloud.main().get(`${members()}?results=1&page=2`)).body).toMatchObject({
      items: [{ id: ada.id }],
      total_results: 3,
    });
    const only = async (active: string) => (await cloud.main().get(`${members()}?active=${active}`)).body.items.length;
    expect([await only('true'), await only('false')]).toEqual([2, 1]);
    expect(await cloud.main().get(`${members()}?active=perhaps`)).toBeProblem('validation_failed');
    expect((await cloud.main().get(pathOf(ada))).body).toEqual(all.items[1]);
    expect(await cloud.main().get(`${members()}/999`)).toBeProblem('member_not_found');
  });

  it('get new roles that replace all old ones; the record sent back unchanged changes nothing', async () => {
    const cleo = await person('cleo', { roles: ['viewer'] });

    const changed = await cloud.main().put(pathOf(cleo), { roles: [roleId('developer'), roleId('billing')] });

    expect(changed.status).toBe(204);
    const record = await cloud.main().get(pathOf(cleo));
    expect(record.body.roles.map(({ name }: { name: string }) => name)).toEqual(['developer', 'billing']);
    const [entry] = (await entries('member_updated')).slice(-1);
    expect(entry).toMatchObject({ user_name: 'cleo', data: { previous: { roles: [{ name: 'viewer' }] } } });
    expect(Number(entry.user_id)).toBe(cleo.id);
    expect(entry.data.roles).toEqual(record.body.roles);
    const before = await counts();
    expect((await cloud.main().put(pathOf(cleo), record.body)).status).toBe(204);
    expect((await cloud.main().put(pathOf(cleo), { roles: [roleId('billing'), roleId('developer')] })).status).toBe(
      204,
    );
    expect(await counts()).toEqual(before);
    expect(await cloud.main().put(pathOf(cleo), { ...record.body, email: 'other@x.example' })).toBeProblem(
      'validation_failed',
    );
    expect(await cloud.main().put(pathOf(cleo), { active: false }, { 'if-match': '"old"' })).toBeProblem(
      'precondition_failed',
    );
    expect(await cloud.main().put(pathOf(cleo), { roles: [999_999_999] })).toBeProblem('role_not_found');
  });

  it('get no role that belongs to a key', async () => {
    const dora = await person('dora', { roles: ['admin'] });
    const { role_id } = await keyOf(dora, { tenant: ['info:read'] });

    expect(await cloud.main().put(pathOf(dora), { roles: [role_id] })).toBeProblem('role_not_found');
  });

  it('cannot change themselves or the owner', async () => {
    const eve = await person('eve', { roles: ['admin'] });
    const { body } = await cloud.main().get(`${members()}?results=100`);
    const owner = body.items.find((one: { owner: boolean }) => one.owner);

    for (const change of [{ active: false }, { roles: [] }]) {
      expect(await eve.put(pathOf(eve), change)).toBeProblem('state_conflict', {
        detail: expect.stringContaining('yourself'),
      });
      expect(await eve.put(`${members()}/${owner.id}`, change)).toBeProblem('owner_required', { status: 409 });
    }
    expect(await eve.delete(pathOf(eve))).toBeProblem('state_conflict');
    expect(await eve.delete(`${members()}/${owner.id}`)).toBeProblem('owner_required');
    expect(await cloud.main().delete(`${members()}/${owner.id}`)).toBeProblem('owner_required');
    expect((await eve.put(pathOf(eve), (await eve.get(pathOf(eve))).body)).status).toBe(204);
  });

  it('are not assigned or given back a role whose permissions the caller lacks', async () => {
    const fay = await person('fay', { roles: ['admin'] });
    const gus = await person('gus', { roles: ['viewer'] });
    const hal = await person('hal', { roles: ['billing'] });
    await cloud.rows('update members set active = false where user_id = $1', [hal.id]);

    // The admin lacks billing:manage.
    expect(await fay.put(pathOf(gus), { roles: [roleId('viewer'), roleId('owner')] })).toBeProblem(
      'insufficient_permissions',
      { permission: 'billing:manage' },
    );
    expect(await fay.put(pathOf(hal), { active: true })).toBeProblem('insufficient_permissions');
    expect((await fay.put(pathOf(hal), { roles: [] })).status).toBe(204);
    expect((await fay.put(pathOf(hal), { active: true, roles: [roleId('admin')] })).status).toBe(204);
    expect((await cloud.main().get(pathOf(gus))).body.roles).toHaveLength(1);
  });

  it('lose all access while they are inactive, and so do their keys', async () => {
    const ida = await person('ida', { roles: ['admin'] });
    const key = await keyOf(ida, { tenant: ['info:read'] });
    const tries = async () => [await ida.get(cloud.tenant), await cloud.main(key.secret).get(cloud.tenant)];
    expect((await tries()).map(({ status }) => status)).toEqual([200, 200]);

    expect((await cloud.main().put(pathOf(ida), { active: false })).status).toBe(204);

    const [bySession, byKey] = await tries();
    expect(bySession).toBeProblem('tenant_not_found');
    expect(byKey).toBeProblem('unauthenticated');
    expect((await entries('member_updated')).at(-1)).toMatchObject({
      data: { active: false, previous: { active: true } },
    });
    await cloud.main().put(pathOf(ida), { active: true });
    expect((await tries()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('lose their keys, the roles of these keys and open streams when they are removed', async () => {
    const jon = await person('jon', { roles: ['admin'] });
    const key = await keyOf(jon, { environment: ['deployment:read'] });
    const shape = { cloud: 'aws', region: 'us-east-1' };
    const started = await cloud.main().post(`${cloud.division}/deployments/starter`, shape);
    const operation = `${cloud.tenant}/operations/${started.headers.get('ld-operation')}`;
    const stream = new EventStream(`${cloud.mainApi.url}${operation}/events`, key.secret);
    await eventually('the stream is open', () => stream.status === 200);

    expect((await cloud.main().delete(pathOf(jon))).status).toBe(204);

    // The periodic check of callers that every stream makes would take longer.
    await eventually('the stream has ended', () => stream.hasEnded);
    expect(await cloud.main(key.secret).get(cloud.tenant)).toBeProblem('unauthenticated');
    expect(await jon.get(cloud.tenant)).toBeProblem('tenant_not_found');
    expect(await cloud.main().get(pathOf(jon))).toBeProblem('member_not_found');
    expect(await cloud.rows('select 1 from api_keys where id = $1', [key.id])).toEqual([]);
    expect(await cloud.rows('select 1 from roles where id = $1', [key.role_id])).toEqual([]);
    const [entry] = (await entries('member_removed')).slice(-1);
    expect(entry).toMatchObject({
      user_name: 'jon',
      data: { email: jon.email, roles: ['admin'], api_keys: [key.id] },
    });
  });

  it('can leave, but not the owner and not with a key', async () => {
    const kim = await person('kim', { roles: ['admin'] });
    const key = await keyOf(kim, { tenant: ['info:read'] });
    const path = `${cloud.tenant}/membership`;

    expect(await cloud.main(key.secret).delete(path)).toBeProblem('api_key_not_allowed');
    expect((await kim.delete(path)).status).toBe(204);

    expect(await kim.delete(path)).toBeProblem('tenant_not_found');
    expect(await cloud.main(key.secret).get(cloud.tenant)).toBeProblem('unauthenticated');
    const [entry] = await entries('member_left');
    expect(entry).toMatchObject({ author_name: 'kim', user_name: 'kim', api_key_id: null });
    const { body } = await cloud.main().get(`${members()}?results=100`);
    const owner = body.items.find((one: { owner: boolean }) => one.owner);
    const session = await given.session(cloud, owner.id);
    expect(await cloud.main(null).delete(path, session.headers)).toBeProblem('owner_required');
  });

  it('see their permissions: all roles combined, narrowed to their division; a key sees its own', async () => {
    const division = cloud.installation.division_id;
    const permissions = { divisions: { [division]: { permissions: ['division:manage'] } } };
    await cloud.main().post(`${cloud.tenant}/roles`, { name: 'gardener', permissions });
    const lea = await person('lea', { roles: ['viewer', 'billing', 'gardener'], divisionId: division });
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    const ownPermissions = (await lea.get(`${members()}/permissions`)).body;
    const ofKey = (await cloud.main(key).get(`${members()}/permissions`)).body;

    expect(ownPermissions.roles.map(({ name }: { name: string }) => name)).toEqual(['viewer', 'billing', 'gardener']);
    expect(ownPermissions.permissions.tenant).toEqual(expect.arrayContaining(['audit:read', 'billing:manage']));
    expect(new Set(ownPermissions.permissions.tenant).size).toBe(ownPermissions.permissions.tenant.length);
    expect(ownPermissions.permissions.divisions[division].permissions).toEqual(['division:manage']);
    expect(ownPermissions.division_scope).toBe(division);
    expect(ofKey).toEqual({
      roles: [{ id: expect.any(Number), name: 'test' }],
      permissions: { tenant: [], division: [], environment: ['deployment:read'], divisions: {} },
      division_scope: null,
    });
  });

  it('of a division are the only members that a caller of that division can see and change', async () => {
    const division = cloud.installation.division_id;
    const max = await person('max', { roles: ['admin'], divisionId: division });
    const ned = await person('ned', { roles: ['viewer'], divisionId: division });
    const oda = await person('oda', { roles: ['viewer'] });

    const items = (await max.get(`${members()}?results=100`)).body.items;

    expect(items.every(({ division_id }: { division_id: number }) => division_id === division)).toBe(true);
    expect(items.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([max.id, ned.id]));
    expect(await max.get(pathOf(oda))).toBeProblem('member_not_found');
    expect(await max.delete(pathOf(oda))).toBeProblem('member_not_found');
    expect(await max.put(pathOf(oda), { roles: [] })).toBeProblem('member_not_found');
    const viewer = `${cloud.tenant}/roles/${roleId('viewer')}/members`;
    expect(await max.put(`${viewer}/revoke`, { members: [oda.id] })).toBeProblem('member_not_found');
    expect((await max.put(pathOf(ned), { roles: [roleId('developer')] })).status).toBe(204);
  });
});
