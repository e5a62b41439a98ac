import { KeyCommands, TenantCommands } from '@libs/operator';
import { eventually, EventStream, given, MailFolder, TestCloud, type FiledMail, type Person } from '@libs/testing';

describe('Tenants of a user', () => {
  let cloud: TestCloud;
  let mails: MailFolder;
  let made = 0;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    mails = new MailFolder(cloud.directory);
  });
  afterAll(() => cloud.stop());

  const person = (name: string, verified = true): Promise<Person> =>
    given.person(cloud, { email: `${name}-${(made += 1)}@people.example`, name, verified });
  const found = async (who: Person, name: string): Promise<{ id: number; path: string }> => {
    const { id } = (await who.post('/tenants', { name })).body;
    return { id, path: `/tenants/${id}` };
  };
  const codeIn = ({ text }: FiledMail): string => /^[A-Z2-9]{8}$/m.exec(text)?.[0] ?? '';
  const codeFor = async (who: Person, id: number): Promise<string> => {
    const action = { action_type: 'delete_tenant', payload: { tenant_id: id } };
    return codeIn(await mails.after(who.email, () => who.put(`/tenants/${id}/request_code`, { action })));
  };
  const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
  const entries = (type: string) => cloud.rows<any>('select * from audit_entries where type = $1 order by id', [type]);

  it('are created with everything that a new customer needs', async () => {
    const ann = await person('ann');

    const created = await ann.post('/tenants', { name: 'Ann & Co' });

    const { id } = created.body;
    expect(created.status).toBe(201);
    expect([created.headers.get('ld-tenant'), created.headers.get('location')]).toEqual([`${id}`, `/tenants/${id}`]);
    expect((await ann.get(`/tenants/${id}`)).body).toEqual(created.body);
    expect(created.body).toMatchObject({ name: 'Ann & Co', email: ann.email, subscription: { plan: 'basic' } });
    const { divisions } = (await ann.get(`/tenants/${id}/structure`)).body;
    expect(divisions).toMatchObject([{ name: 'Default', environments: [{ name: 'sandbox' }] }]);
    const roles = (await ann.get(`/tenants/${id}/roles`)).body.items.map(({ name }: { name: string }) => name);
    expect(roles.reverse()).toEqual(['owner', 'admin', 'developer', 'viewer', 'billing']);
    expect((await ann.get(`/tenants/${id}/members`)).body.items).toMatchObject([
      { id: ann.id, owner: true, roles: [{ name: 'owner' }] },
    ]);
    const shape = { cloud: 'aws', region: 'us-east-1' };
    const division = `/tenants/${id}/divisions/${divisions[0].id}`;
    expect((await ann.post(`${division}/deployments/starter`, shape)).status).toBe(202);
    const [entry] = await entries('tenant_created');
    expect(entry).toMatchObject({ api_key_id: null, data: { name: 'Ann & Co', plan: 'basic' } });
    expect([Number(entry.tenant_id), Number(entry.author_id)]).toEqual([id, ann.id]);
  });

  it('are listed: for a session all with an active membership, for a key its own', async () => {
    const bea = await person('bea');
    const own = await found(bea, 'Bea');
    await given.membership(cloud, bea.id, { roles: ['viewer'] });
    const otherTenant = await given.tenant(cloud);
    await given.membership(cloud, bea.id, { tenantId: otherTenant.tenantId });
    await cloud.rows('update members set active = false where user_id = $1 and tenant_id = $2', [
      bea.id,
      otherTenant.tenantId,
    ]);

    const list = (await bea.get('/tenants')).body;

    const first = cloud.installation.tenant_id;
    expect(list.items).toEqual([
      { id: own.id, name: 'Bea', owner: true, plan: 'basic', created_at: expect.any(String) },
      { id: first, name: 'My organization', owner: false, plan: 'enterprise', created_at: expect.any(String) },
    ]);
    const ofKey = (await cloud.main().get('/tenants')).body;
    expect(ofKey).toMatchObject({ items: [{ id: first, owner: true }], total_results: 1 });
    expect(await cloud.main(null).get('/tenants')).toBeProblem('unauthenticated');
  });

  it('are created with a session and a verified address, at most ten per user, also in parallel', async () => {
    const cat = await person('cat');
    const unproved = await person('dan', false);

    expect(await cloud.main().post('/tenants', { name: 'by key' })).toBeProblem('api_key_not_allowed');
    expect(await unproved.post('/tenants', { name: 'early' })).toBeProblem('email_not_verified');
    expect(await cat.post('/tenants', { name: '' })).toBeProblem('validation_failed');
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) => cat.post('/tenants', { name: `n-${index}` })),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.find(({ status }) => status !== 201)).toBeProblem('plan_limit_reached', { limit: 10, usage: 10 });
  });

  it('are deleted only by their owner, and only with a code', async () => {
    const eve = await person('eve');
    const { id, path } = await found(eve, 'Eve');
    const admin = await person('fred');
    await given.membership(cloud, admin.id, { tenantId: id, roles: ['admin'] });
    const outsider = await person('gil');
    const key = await given.key(cloud, { tenantId: id });
    const code = await codeFor(eve, id);

    expect(await admin.delete(`${path}?code=${code}`)).toBeProblem('not_tenant_owner', { status: 403 });
    expect(await outsider.delete(`${path}?code=${code}`)).toBeProblem('tenant_not_found');
    expect(await cloud.main(key).delete(`${path}?code=${code}`)).toBeProblem('api_key_not_allowed');
    expect(await eve.delete(path)).toBeProblem('protection_code_required');
    expect(await eve.delete(`${path}?code=00000000`)).toBeProblem('protection_code_invalid');
    expect(await eve.delete(`${path}?code=${code}`, { 'if-match': '"old"' })).toBeProblem('precondition_failed');
    expect((await eve.get(path)).status).toBe(200);
    expect((await eve.delete(`${path}?code=${code}`)).status).toBe(204);
    expect(await eve.delete(`${path}?code=${code}`)).toBeProblem('tenant_not_found');
  });

  it('are not deleted while they have deployments, and their code stays valid', async () => {
    const hal = await person('hal');
    const { id, path } = await found(hal, 'Hal');
    const { divisions } = (await hal.get(`${path}/structure`)).body;
    const shape = { cloud: 'aws', region: 'us-east-1' };
    const started = await hal.post(`${path}/divisions/${divisions[0].id}/deployments/starter`, shape);
    const code = await codeFor(hal, id);

    expect(await hal.delete(`${path}?code=${code}`)).toBeProblem('not_empty');

    const removed = await hal.delete(started.headers.get('location') ?? '');
    const operation = `${path}/operations/${removed.headers.get('ld-operation')}`;
    await eventually(
      'the deployment is gone',
      async () => (await hal.get(operation)).body.status === 'succeeded',
      60_000,
    );
    expect((await hal.delete(`${path}?code=${code}`)).status).toBe(204);
  });

  it('end at once for all members, keys, streams, invitations and requests when they are deleted', async () => {
    const ina = await person('ina');
    const { id, path } = await found(ina, 'Ina');
    const member = await person('jil');
    const guest = await person('kit');
    await given.membership(cloud, member.id, { tenantId: id, roles: ['admin'] });
    await given.joinRequest(cloud, (await person('lou')).id, id);
    const invitation = (await ina.post(`${path}/invitations`, { email: guest.email })).body.id;
    const permissions = { tenant: ['info:read', 'audit:read'], environment: ['deployment:read'] };
    const key = (await ina.post(`${path}/api_keys`, { name: 'k', expiry_at: tomorrow(), permissions })).body.secret;
    const [operation] = await cloud.rows<{ id: string }>(
      `insert into operations (type, queue, tenant_id, changing, step, trace_id)
       values ('provision_deployment', 'nobody', $1, false, 'creating', 'test') returning id`,
      [id],
    );
    const streams = [cloud.mainApi, cloud.supervisor].map(
      ({ url }) => new EventStream(`${url}${path}/operations/${operation?.id}/events`, key),
    );
    await eventually('both streams are open', () => streams.every(({ status }) => status === 200));
    const code = await codeFor(ina, id);
    await cloud.rows(`update tenants set email_domain = 'ina.example' where id = $1`, [id]);

    expect((await ina.delete(`${path}?code=${code}`)).status).toBe(204);

    // The periodic check of callers that every stream makes would take longer.
    await eventually('both streams have ended', () => streams.every(({ hasEnded }) => hasEnded));
    expect(await cloud.main(key).get(path)).toBeProblem('unauthenticated');
    expect(await ina.get(path)).toBeProblem('tenant_not_found');
    expect(await member.get(path)).toBeProblem('tenant_not_found');
    expect((await member.get('/tenants')).body.items).toEqual([]);
    expect((await guest.get('/account/invitations')).body.items).toEqual([]);
    expect(await guest.put(`/account/invitations/${invitation}/accept`)).toBeProblem('invitation_not_found');
    expect(await cloud.rows(`select 1 from join_requests where tenant_id = $1 and status = 'pending'`, [id])).toEqual(
      [],
    );
    const [entry] = (await entries('tenant_deleted')).slice(-1);
    expect([Number(entry.tenant_id), entry.data]).toEqual([id, { name: 'Ina' }]);
    // The domain is free again, so another tenant can claim it.
    await cloud.rows(`update tenants set email_domain = 'ina.example' where id = $1`, [(await found(ina, 'Again')).id]);
    const tenants = await cloud.asOperator((session) => new TenantCommands(session).list());
    expect(tenants.find((row) => row.id === id)).toMatchObject({ members: 0, keys: 0, deleted_at: expect.any(Date) });
    await expect(cloud.asOperator((session) => new TenantCommands(session).setPlan(id, 'pro', []))).rejects.toThrow(
      'is deleted',
    );
    const keyRequest = { tenantId: id, role: 'owner', name: 'late', days: 1 };
    await expect(cloud.asOperator((session) => new KeyCommands(session).issue(keyRequest))).rejects.toThrow(
      'is deleted',
    );
  });

  it('refuse requests that waited for their deletion', async () => {
    const moe = await person('moe');
    const { id, path } = await found(moe, 'Moe');
    const code = await codeFor(moe, id);
    const waiting = (count: number) =>
      eventually(`${count} requests wait for the tenant`, async () => {
        const [row] = await cloud.rows<{ count: string }>(
          `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return Number(row?.count) === count;
      });
    const holder = await cloud.sql.connect();
    await holder.query('begin');
    await holder.query('select 1 from tenants where id = $1 for update', [id]);

    const deleted = moe.delete(`${path}?code=${code}`);
    await waiting(1);
    const late = moe.post(`${path}/divisions`, { name: 'late' });
    await waiting(2);
    await holder.query('commit');
    holder.release();

    expect((await deleted).status).toBe(204);
    expect(await late).toBeProblem('tenant_not_found');
    expect(await cloud.rows(`select 1 from divisions where tenant_id = $1 and name = 'late'`, [id])).toEqual([]);
  });

  it('can all be deleted, including the first one', async () => {
    const [owner] = await cloud.rows<{ owner_id: string }>('select owner_id from tenants order by id limit 1');
    const session = await given.session(cloud, Number(owner?.owner_id));
    const api = cloud.main(null);
    const { tenant_id } = cloud.installation;
    const action = { action_type: 'delete_tenant', payload: { tenant_id } };
    const mail = await mails.after('owner@landlord.local', () =>
      api.put(`${cloud.tenant}/request_code`, { action }, session.headers),
    );

    expect((await api.delete(`${cloud.tenant}?code=${codeIn(mail)}`, session.headers)).status).toBe(204);

    expect(await cloud.main().get(cloud.tenant)).toBeProblem('unauthenticated');
    expect((await api.post('/tenants', { name: 'A new start' }, session.headers)).status).toBe(201);
  });
});
