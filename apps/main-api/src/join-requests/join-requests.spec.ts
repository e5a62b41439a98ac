import { given, MailFolder, type Person } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('Requests to join', () => {
  let cloud: TestMainApi;
  let mails: MailFolder;
  let roleIds: Record<string, number>;
  let count = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_PUBLIC_URL: 'https://cloud.example.com' });
    mails = new MailFolder(cloud.directory);
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?kind=system`);
    roleIds = Object.fromEntries(body.items.map(({ name, id }: { name: string; id: number }) => [name, id]));
  });
  afterAll(() => cloud.close());

  const roleId = (name: string): number => roleIds[name] ?? 0;
  const requests = (tenant = cloud.tenant): string => `${tenant}/join_requests`;
  const entries = (type: string) => cloud.rows<any>('select * from audit_entries where type = $1 order by id', [type]);

  /** A user with a pending request, as a verification of their address creates it. */
  async function asking(tenantId = cloud.installation.tenant_id): Promise<{ who: Person; id: number; path: string }> {
    const name = `asker-${(count += 1)}`;
    const who = await given.person(cloud, { email: `${name}@people.example`, name });
    const id = await given.joinRequest(cloud, who.id, tenantId);
    return { who, id, path: `${requests(`/tenants/${tenantId}`)}/${id}` };
  }

  it('are listed newest first, and can be filtered by status', async () => {
    const first = await asking();
    const second = await asking();
    await cloud.main().put(`${first.path}/reject`);

    const all = (await cloud.main().get(requests())).body;

    expect(all.items.slice(0, 2).map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
    expect(all.items[0]).toEqual({
      id: second.id,
      user_id: second.who.id,
      name: expect.stringMatching(/^asker/),
      email: second.who.email,
      status: 'pending',
      created_at: expect.any(String),
      answered_at: null,
    });
    expect((await cloud.main().get(second.path)).body).toEqual(all.items[0]);
    const rejected = (await cloud.main().get(`${requests()}?status=rejected`)).body.items;
    expect(rejected[0]).toMatchObject({ id: first.id, answered_at: expect.any(String) });
    expect(new Set(rejected.map(({ status }: { status: string }) => status))).toEqual(new Set(['rejected']));
    expect(await cloud.main().get(`${requests()}?status=lost`)).toBeProblem('validation_failed');
    expect(await cloud.main().get(`${requests()}/999`)).toBeProblem('join_request_not_found');
  });

  it('are approved: the user becomes a viewer or gets the given roles, gets a mail, and the request is closed', async () => {
    const plain = await asking();
    const named = await asking();

    const mail = await mails.after(plain.who.email, () => cloud.main().call('PUT', `${plain.path}/approve`));
    const second = await cloud.main().put(`${named.path}/approve`, { roles: [roleId('developer')] });

    expect(second.status).toBe(204);
    expect(mail.headers).toMatchObject({ to: [plain.who.email], subject: ['You are a member of an organization'] });
    expect(mail.text.split('\n')).toContain('https://cloud.example.com/console/');
    const rolesOf = async ({ who }: { who: Person }) =>
      (await cloud.main().get(`${cloud.tenant}/members/${who.id}`)).body.roles.map(({ name }: any) => name);
    expect([await rolesOf(plain), await rolesOf(named)]).toEqual([['viewer'], ['developer']]);
    expect((await plain.who.get(cloud.tenant)).status).toBe(200);
    const [entry] = (await entries('join_approved')).slice(-2);
    expect(entry).toMatchObject({ author_name: 'Owner', data: { email: plain.who.email, roles: ['viewer'] } });
    expect(Number(entry.user_id)).toBe(plain.who.id);
    const joined = await cloud.rows<any>(`select data from outbox where type = 'member_joined' order by id`);
    expect(joined.slice(-2).map(({ data }) => data.user_id)).toEqual([plain.who.id, named.who.id]);
    expect(await cloud.main().put(`${plain.path}/approve`)).toBeProblem('state_conflict', { state: 'approved' });
    expect(await cloud.main().put(`${plain.path}/reject`)).toBeProblem('state_conflict');
  });

  it('are rejected: the user gets a mail and no access', async () => {
    const { who, path } = await asking();

    const mail = await mails.after(who.email, () => cloud.main().put(`${path}/reject`));

    expect(mail.headers).toMatchObject({ to: [who.email], subject: ['Your request to join an organization'] });
    expect(mail.text).toContain('was declined');
    expect(await who.get(cloud.tenant)).toBeProblem('tenant_not_found');
    const [entry] = (await entries('join_rejected')).slice(-1);
    expect([Number(entry.user_id), entry.data]).toEqual([who.id, { email: who.email }]);
    expect(await cloud.main().put(`${path}/approve`)).toBeProblem('state_conflict', { state: 'rejected' });
  });

  it('give only permissions that the approver has', async () => {
    const { path } = await asking();
    const admin = await given.person(cloud, { email: 'a@people.example', member: { roles: ['admin'] } });
    const scoped = await given.key(cloud, { divisionId: cloud.installation.division_id });

    expect(await admin.put(`${path}/approve`, { roles: [roleId('owner')] })).toBeProblem('insufficient_permissions');
    expect(await cloud.main(scoped).put(`${path}/approve`)).toBeProblem('insufficient_permissions');
    expect(await admin.put(`${path}/approve`, { roles: [999_999_999] })).toBeProblem('role_not_found');
    expect((await cloud.main().get(path)).body.status).toBe('pending');
  });

  it('are approved up to the member limit of the plan, also in parallel', async () => {
    const { tenantId } = await given.tenant(cloud);
    const limits = JSON.stringify({ limits: { members_limit: 3 } });
    await cloud.rows('update tenants set plan_overrides = $2 where id = $1', [tenantId, limits]);
    const key = await given.key(cloud, { tenantId });
    const all = await Promise.all(Array.from({ length: 5 }, () => asking(tenantId)));

    const answers = await Promise.all(all.map(({ path }) => cloud.main(key).put(`${path}/approve`)));

    expect(answers.filter(({ status }) => status === 204)).toHaveLength(2);
    expect(answers.find(({ status }) => status === 409)).toBeProblem('plan_limit_reached', {
      limit_name: 'members_limit',
      limit: 3,
      usage: 3,
    });
    const { body } = await cloud.main(key).get(`${requests(`/tenants/${tenantId}`)}?status=pending`);
    expect(body.total_results).toBe(3);
  });

  it('and invitations of one user are closed together when either is answered', async () => {
    const invited = await asking();
    const approved = await asking();
    const invite = async (email: string): Promise<number> =>
      (await cloud.main().post(`${cloud.tenant}/invitations`, { email })).body.id;
    const [first, second] = [await invite(invited.who.email), await invite(approved.who.email)];

    expect((await invited.who.put(`/account/invitations/${first}/accept`)).status).toBe(204);
    expect((await cloud.main().put(`${approved.path}/approve`)).status).toBe(204);

    expect((await cloud.main().get(invited.path)).body.status).toBe('approved');
    expect((await cloud.main().get(`${cloud.tenant}/invitations/${second}`)).body.status).toBe('accepted');
  });

  it('do not reactivate a key that was created while an earlier membership ended', async () => {
    const { who, path } = await asking();
    const late = await given.key(cloud, { userId: who.id });
    expect(await cloud.main(late).get(cloud.tenant)).toBeProblem('unauthenticated');

    expect((await cloud.main().put(`${path}/approve`)).status).toBe(204);

    expect((await who.get(cloud.tenant)).status).toBe(200);
    expect(await cloud.main(late).get(cloud.tenant)).toBeProblem('unauthenticated');
  });
});
