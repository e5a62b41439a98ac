import { eventually, given, MailFolder, type FiledMail, type Person } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('Invitations', () => {
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
  const invitations = (tenant = cloud.tenant): string => `${tenant}/invitations`;
  const address = (): string => `guest-${(count += 1)}@people.example`;
  const guest = (email: string, verified = true): Promise<Person> =>
    given.person(cloud, { email, name: email.split('@')[0] ?? '', verified });
  const invite = (email: string, more: object = {}) => cloud.main().post(invitations(), { email, ...more });
  const entries = (type: string) => cloud.rows<any>('select * from audit_entries where type = $1 order by id', [type]);
  const events = (type: string) => cloud.rows<any>('select * from outbox where type = $1 order by id', [type]);
  const status = async (id: number): Promise<string> => (await cloud.main().get(`${invitations()}/${id}`)).body.status;
  const setTenant = (values: string, tenantId = cloud.installation.tenant_id) =>
    cloud.rows(`update tenants set ${values} where id = $1`, [tenantId]);
  /** Simulates that seven days have passed. */
  const age = (id: number) => cloud.rows(`update invitations set expires_at = now() where id = $1`, [id]);
  const answering = (id: number, how: 'accept' | 'reject') => `/account/invitations/${id}/${how}`;

  it('are mailed with the inviter, the organization, the roles and the expiry', async () => {
    const created = await invite('Zoe@People.example', { roles: [roleId('developer'), roleId('billing')] });
    const mail: FiledMail = await eventually('the mail has come', async () =>
      (await mails.to('Zoe@people.example')).at(0),
    );

    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.headers.get('ld-invitation')).toBe(String(id));
    expect(created.headers.get('location')).toBe(`${invitations()}/${id}`);
    expect(created.body).toEqual({
      id,
      email: 'Zoe@People.example',
      division_id: null,
      roles: [
        { id: roleId('developer'), name: 'developer' },
        { id: roleId('billing'), name: 'billing' },
      ],
      status: 'pending',
      expires_at: expect.any(String),
      created_at: expect.any(String),
    });
    const days = (Date.parse(created.body.expires_at) - Date.parse(created.body.created_at)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    expect(mail.headers).toMatchObject({
      to: ['Zoe@people.example'],
      subject: ['You are invited to an organization'],
    });
    const text = mail.text.replaceAll('\n', ' ');
    expect(text).toContain(created.body.expires_at.slice(0, 10));
    for (const part of ['Owner', 'My organization', 'developer', 'billing']) expect(text).not.toContain(part);
    expect(mail.text.split('\n')).toContain(`https://cloud.example.com/console/account/invitations/${id}`);
    const [entry] = (await entries('member_invited')).slice(-1);
    expect(entry.data).toEqual({ email: 'Zoe@People.example', roles: ['developer', 'billing'] });
    expect((await events('invitation_created')).slice(-1).map(({ data }) => data)).toEqual([
      { invitation_id: id, email: 'Zoe@People.example', roles: ['developer', 'billing'] },
    ]);
  });

  it('add the accepting user as a member once, with their roles and their division', async () => {
    const email = address();
    const division = cloud.installation.division_id;
    const { body } = await invite(email.toUpperCase(), { roles: [roleId('developer')], division_id: division });
    const who = await guest(email);

    const [mine] = (await who.get('/account/invitations')).body.items;
    expect(mine).toMatchObject({ id: body.id, status: 'pending', invited_by: 'Owner' });
    expect(mine.tenant).toEqual({ id: cloud.installation.tenant_id, name: 'My organization' });
    expect((await who.get(`/account/invitations/${body.id}`)).body).toEqual(mine);
    const accepted = await who.put(answering(body.id, 'accept'));

    expect(accepted.status).toBe(204);
    expect((await cloud.main().get(`${cloud.tenant}/members/${who.id}`)).body).toMatchObject({
      active: true,
      division_id: division,
      roles: [{ name: 'developer' }],
    });
    expect(await who.put(answering(body.id, 'accept'))).toBeProblem('state_conflict', { state: 'accepted' });
    expect(await who.put(answering(body.id, 'reject'))).toBeProblem('state_conflict');
    expect(await status(body.id)).toBe('accepted');
    const [entry] = (await entries('invitation_accepted')).slice(-1);
    expect(entry).toMatchObject({ api_key_id: null, division_name: 'Default', data: { roles: ['developer'] } });
    expect([Number(entry.author_id), Number(entry.user_id)]).toEqual([who.id, who.id]);
    expect((await events('invitation_accepted')).at(-1)?.data).toMatchObject({ invitation_id: body.id });
    expect((await events('member_joined')).at(-1)?.data).toEqual({ user_id: who.id, name: expect.any(String), email });
  });

  it('have the role viewer by default, and lose roles that are deleted before the answer', async () => {
    const [plain, custom] = [address(), address()];
    const first = (await invite(plain, { roles: [] })).body;
    expect(first.roles).toEqual([{ id: roleId('viewer'), name: 'viewer' }]);
    const permissions = { tenant: ['info:read'] };
    const role = (await cloud.main().post(`${cloud.tenant}/roles`, { name: 'short-lived', permissions })).body.id;
    const second = (await invite(custom, { roles: [role, roleId('billing')] })).body;
    await cloud.main().delete(`${cloud.tenant}/roles/${role}`);

    const who = await guest(custom);
    await who.put(answering(second.id, 'accept'));

    expect((await cloud.main().get(`${cloud.tenant}/members/${who.id}`)).body.roles).toEqual([
      { id: roleId('billing'), name: 'billing' },
    ]);
  });

  it('can be answered only by the user with the invited, verified address', async () => {
    const email = address();
    const { body } = await invite(email);
    const other = await guest(address());
    const unproved = await guest(email, false);

    for (const how of ['accept', 'reject'] as const) {
      expect(await other.put(answering(body.id, how))).toBeProblem('invitation_not_found');
      expect(await unproved.put(answering(body.id, how))).toBeProblem('email_not_verified');
      expect(await cloud.main().put(answering(body.id, how))).toBeProblem('api_key_not_allowed');
    }
    expect(await other.get(`/account/invitations/${body.id}`)).toBeProblem('invitation_not_found');
    expect((await other.get('/account/invitations')).body.items).toEqual([]);
    expect(await unproved.get('/account/invitations')).toBeProblem('email_not_verified');
    expect(await status(body.id)).toBe('pending');
  });

  it('can be rejected, and sent again', async () => {
    const email = address();
    const { body } = await invite(email);
    const who = await guest(email);

    expect((await who.put(answering(body.id, 'reject'))).status).toBe(204);

    expect(await who.put(answering(body.id, 'accept'))).toBeProblem('state_conflict', { state: 'rejected' });
    expect(await status(body.id)).toBe('rejected');
    expect((await entries('invitation_rejected')).at(-1)?.data).toEqual({ email, roles: ['viewer'] });
    expect((await events('invitation_rejected')).at(-1)?.data).toMatchObject({ invitation_id: body.id });
    expect((await invite(email)).status).toBe(201);
    expect(await invite(email.toUpperCase())).toBeProblem('state_conflict', { id: expect.any(Number) });
    expect(await invite(cloud.installation.owner_email)).toBeProblem('state_conflict');
  });

  it('can be cancelled while they are pending, and leave the list when they are answered', async () => {
    const email = address();
    const who = await guest(email);
    const first = (await invite(email)).body;
    const etag = (await cloud.main().get(`${invitations()}/${first.id}`)).headers.get('etag') ?? '';

    expect(await cloud.main().delete(`${invitations()}/${first.id}`, { 'if-match': '"old"' })).toBeProblem(
      'precondition_failed',
    );
    expect((await cloud.main().delete(`${invitations()}/${first.id}`, { 'if-match': etag })).status).toBe(204);

    expect(await cloud.main().get(`${invitations()}/${first.id}`)).toBeProblem('invitation_not_found');
    expect(await who.put(answering(first.id, 'accept'))).toBeProblem('invitation_not_found');
    expect((await entries('invitation_cancelled')).at(-1)?.data).toEqual({
      email,
      roles: ['viewer'],
      status: 'pending',
    });
    const second = (await invite(email)).body;
    await who.put(answering(second.id, 'reject'));
    expect((await cloud.main().delete(`${invitations()}/${second.id}`)).status).toBe(204);
    expect((await entries('invitation_deleted')).at(-1)?.data).toMatchObject({ status: 'rejected' });
  });

  it('expire after seven days, at once and in every list', async () => {
    const email = address();
    const { body } = await invite(email);
    const who = await guest(email);
    await age(body.id);

    expect(await who.put(answering(body.id, 'accept'))).toBeProblem('invitation_expired', { status: 410 });
    expect(await who.put(answering(body.id, 'reject'))).toBeProblem('invitation_expired');

    expect(await status(body.id)).toBe('expired');
    const ids = async (path: string) => (await cloud.main().get(path)).body.items.map(({ id }: { id: number }) => id);
    expect((await ids(`${invitations()}?status=expired`))[0]).toBe(body.id);
    expect(await ids(`${invitations()}?status=pending&results=100`)).not.toContain(body.id);
    expect((await who.get('/account/invitations?status=expired')).body.total_results).toBe(1);
    expect((await invite(email)).status).toBe(201);
    expect(await cloud.main().get(`${invitations()}?status=lost`)).toBeProblem('validation_failed');
  });

  it('get the status `expired` from a worker after they have expired', async () => {
    const { body } = await invite(address());
    await age(body.id);

    const worker = await cloud.another({ LANDLORD_ROLE: 'worker' });

    await eventually('it is noted', async () => {
      const [row] = await cloud.rows<{ status: string }>('select status from invitations where id = $1', [body.id]);
      return row?.status === 'expired';
    });
    await worker.close();
  });

  it('give only permissions that the inviter has, and from a scoped inviter only access to its own division', async () => {
    const admin = await given.person(cloud, { email: address(), name: 'Adam', member: { roles: ['admin'] } });
    const division = cloud.installation.division_id;
    const scoped = await given.key(cloud, { divisionId: division });
    const other = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'elsewhere' })).body.id;

    expect(await admin.post(invitations(), { email: address(), roles: [roleId('owner')] })).toBeProblem(
      'insufficient_permissions',
      { permission: 'billing:manage' },
    );
    const asScoped = (body: object) => cloud.main(scoped).post(invitations(), { email: address(), ...body });
    expect(await asScoped({})).toBeProblem('insufficient_permissions');
    expect(await asScoped({ division_id: other })).toBeProblem('division_not_found');
    const answer = await asScoped({ division_id: division });
    expect(answer.status).toBe(201);
    expect((await cloud.main(scoped).get(invitations())).body.items.map(({ id }: { id: number }) => id)).toContain(
      answer.body.id,
    );
    const wide = (await invite(address())).body;
    expect(await cloud.main(scoped).get(`${invitations()}/${wide.id}`)).toBeProblem('invitation_not_found');
    expect(await cloud.main(scoped).delete(`${invitations()}/${wide.id}`)).toBeProblem('invitation_not_found');
    expect(await invite(address(), { roles: [999_999_999] })).toBeProblem('role_not_found');
    expect(await invite(address(), { roles: [roleId('owner')] })).toBeProblem('owner_required', { status: 409 });
    expect(await invite('nobody')).toBeProblem('validation_failed');
  });

  it('to a deleted division cannot be accepted', async () => {
    const division = (await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'brief' })).body.id;
    const email = address();
    const { body } = await invite(email, { division_id: division });
    await cloud.main().delete(`${cloud.tenant}/divisions/${division}`);

    const answer = await (await guest(email)).put(answering(body.id, 'accept'));

    expect(answer).toBeProblem('state_conflict');
    expect(await status(body.id)).toBe('pending');
  });

  it('cannot be sent by a user without a verified address, nor with a key of this user', async () => {
    const other = await given.tenant(cloud);
    await cloud.rows(
      'update users set email_verified_at = null where id = (select owner_id from tenants where id = $1)',
      [other.tenantId],
    );
    const key = await given.key(cloud, { tenantId: other.tenantId });

    const answer = await cloud.main(key).post(invitations(`/tenants/${other.tenantId}`), { email: address() });

    expect(answer).toBeProblem('email_not_verified');
  });

  it('are limited to the domain of the tenant and its subdomains when its settings require this', async () => {
    await setTenant(`email_domain = 'acme.co.uk', enforce_domain_only_invitations = true`);
    const tries = ['a@acme.co.uk', 'b@Eu.Acme.co.uk', 'c@notacme.co.uk', 'd@acme.co.uk.example', 'e@other.example'];

    const answers = [];
    for (const email of tries) answers.push(await invite(email));

    await setTenant(`email_domain = null, enforce_domain_only_invitations = false`);
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 400, 400, 400]);
    for (const answer of answers.slice(2)) expect(answer).toBeProblem('invitee_domain_not_allowed');
  });

  it('of other tenants are refused for a domain that blocks external invitations, but its own are sent', async () => {
    const other = await given.tenant(cloud);
    await setTenant(`email_domain = 'locked.example', block_external_invitations = true`, other.tenantId);
    const key = await given.key(cloud, { tenantId: other.tenantId });
    const inviteToOther = (email: string) => cloud.main(key).post(invitations(`/tenants/${other.tenantId}`), { email });

    expect(await invite('a@locked.example')).toBeProblem('invitee_domain_locked');
    expect(await invite('b@deep.in.Locked.example')).toBeProblem('invitee_domain_locked');
    expect((await inviteToOther('c@locked.example')).status).toBe(201);
    await setTenant('block_external_invitations = false', other.tenantId);
    expect((await invite('a@locked.example')).status).toBe(201);
  });

  it('are limited by the pending limit, and acceptances by the member limit', async () => {
    const { tenantId } = await given.tenant(cloud);
    const limit = (limits: object) =>
      cloud.rows('update tenants set plan_overrides = $2 where id = $1', [tenantId, JSON.stringify({ limits })]);
    await limit({ members_limit: 3, pending_invitations_limit: 5, invitations_limit: 100 });
    const key = await given.key(cloud, { tenantId });
    const guests = await Promise.all(Array.from({ length: 20 }, () => guest(address())));

    const answers = await Promise.all(
      guests.map(({ email }) => cloud.main(key).post(invitations(`/tenants/${tenantId}`), { email })),
    );
    const created = answers.filter((answer) => answer.status === 201);
    const lucky = guests.filter(({ email }) => created.some(({ body }) => body.email === email));
    const accepted = await Promise.all(
      lucky.map(async (who) => {
        const [invitation] = (await who.get('/account/invitations')).body.items;
        return who.put(answering(invitation.id, 'accept'));
      }),
    );

    expect(created).toHaveLength(5);
    expect(answers.find((answer) => answer.status !== 201)).toBeProblem('plan_limit_reached', {
      limit_name: 'pending_invitations_limit',
      limit: 5,
      usage: 5,
    });
    // The owner is already a member.
    expect(accepted.map((answer) => answer.status).sort()).toEqual([204, 204, 409, 409, 409]);
    expect(accepted.find((answer) => answer.status === 409)).toBeProblem('plan_limit_reached', {
      limit_name: 'members_limit',
      usage: 3,
    });
    expect((await cloud.rows('select 1 from members where tenant_id = $1', [tenantId])).length).toBe(3);
  });

  it('count against their limit for 30 days after they were cancelled', async () => {
    const { tenantId } = await given.tenant(cloud);
    const limits = { pending_invitations_limit: 5, invitations_limit: 2 };
    await cloud.rows('update tenants set plan_overrides = $2 where id = $1', [tenantId, JSON.stringify({ limits })]);
    const api = cloud.main(await given.key(cloud, { tenantId }));
    const path = invitations(`/tenants/${tenantId}`);
    const inviteAndCancel = async (): Promise<void> => {
      const { body } = await api.post(path, { email: address() });
      expect((await api.delete(`${path}/${body.id}`)).status).toBe(204);
    };
    await inviteAndCancel();
    await inviteAndCancel();

    const third = await api.post(path, { email: address() });
    await cloud.rows(
      `update cancelled_invitations set cancelled_at = now() - interval '30 days' where tenant_id = $1`,
      [tenantId],
    );
    const later = await api.post(path, { email: address() });

    expect(third).toBeProblem('plan_limit_reached', { limit_name: 'invitations_limit', limit: 2, usage: 2 });
    expect((await api.get(path)).body.total_results).toBe(1);
    expect(later.status).toBe(201);
  });

  it('that are accepted twice at the same time create one member', async () => {
    const email = address();
    const { body } = await invite(email);
    const who = await guest(email);

    const answers = await Promise.all(Array.from({ length: 8 }, () => who.put(answering(body.id, 'accept'))));

    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    expect(answers.find((answer) => answer.status !== 204)).toBeProblem('state_conflict');
    const joined = (await events('member_joined')).filter(({ data }) => data.user_id === who.id);
    expect(joined).toHaveLength(1);
  });
});
