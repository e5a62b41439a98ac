import { eventually, given, MailFolder, Person, type FiledMail } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('The owner of a tenant', () => {
  let cloud: TestMainApi;
  let mails: MailFolder;
  let count = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    mails = new MailFolder(cloud.directory);
  });
  afterAll(() => cloud.close());

  const email = (name: string): string => `${name}-${(count += 1)}@people.example`;
  /** Creates a tenant with a member for each test. */
  async function tenant(memberRoles: string[] = ['viewer']) {
    const owner = await given.person(cloud, { email: email('olga'), name: 'Olga' });
    const { id } = (await owner.post('/tenants', { name: `Works ${count}` })).body;
    const member = await given.person(cloud, { email: email('mike'), name: 'Mike' });
    await given.membership(cloud, member.id, { tenantId: id, roles: memberRoles });
    return { id: id as number, path: `/tenants/${id}`, owner, member };
  }
  type Tenant = Awaited<ReturnType<typeof tenant>>;

  const codeIn = ({ text }: FiledMail): string => /^[A-Z2-9]{8}$/m.exec(text)?.[0] ?? '';
  const asking = ({ id, path, owner }: Tenant, memberId: number, as: Person = owner) =>
    as.put(`${path}/request_code`, {
      action: { action_type: 'transfer_tenant', payload: { tenant_id: id, member_id: memberId } },
    });
  const codesTo = async ({ owner }: Tenant): Promise<FiledMail[]> =>
    (await mails.all()).filter(
      ({ headers }) => headers['to']?.[0] === owner.email && headers['subject']?.[0]?.startsWith('Code to hand over'),
    );
  const codeFor = async (one: Tenant, memberId = one.member.id): Promise<string> => {
    const before = (await codesTo(one)).length;
    expect((await asking(one, memberId)).status).toBe(204);
    return eventually('the code has come', async () => {
      const all = await codesTo(one);
      return all.length > before ? codeIn(all.at(-1) as FiledMail) : null;
    });
  };
  const offer = ({ path, owner }: Tenant, memberId: number, code: string) =>
    owner.put(`${path}/owner?code=${code}`, { member_id: memberId });
  /** Offers the tenant to the member; returns the id of the transfer. */
  const offered = async (one: Tenant): Promise<number> => {
    const answer = await offer(one, one.member.id, await codeFor(one));
    expect([answer.status, answer.body]).toEqual([204, null]);
    return Number(answer.headers.get('ld-ownership-transfer'));
  };
  const accept = (who: Person, id: number) => who.put(`/account/ownership_transfers/${id}/accept`);
  const audits = async (tenantId: number, type: string) =>
    cloud.rows<any>('select * from audit_entries where tenant_id = $1 and type = $2', [tenantId, type]);
  const rolesOf = async ({ path, member }: Tenant, userId: number): Promise<string[]> =>
    (await member.get(`${path}/members/${userId}`)).body.roles.map(({ name }: { name: string }) => name).sort();

  it('transfers the tenant with a code from their own mailbox, and becomes an admin', async () => {
    const one = await tenant(['viewer']);
    const { id, path, owner, member } = one;
    const { secret } = (
      await owner.post(`${path}/api_keys`, {
        name: 'old',
        expiry_at: tomorrow(),
        permissions: { tenant: ['billing:manage'] },
      })
    ).body;

    await offered(one);
    const mail = await eventually('the member is notified', async () => (await mails.to(member.email)).at(0));
    const [transfer] = (await member.get('/account/ownership_transfers')).body.items;
    expect((await accept(member, transfer.id)).status).toBe(204);

    expect(mail.text).toContain(`/console/account/ownership-transfers/${transfer.id}`);
    expect(transfer).toMatchObject({ status: 'pending', tenant: { id }, owner: { id: owner.id, name: 'Olga' } });
    expect([await rolesOf(one, owner.id), await rolesOf(one, member.id)]).toEqual([['admin'], ['owner', 'viewer']]);
    expect((await member.get(`${path}/members/${member.id}`)).body.owner).toBe(true);
    expect((await audits(id, 'ownership_transferred'))[0]).toMatchObject({
      author_name: 'Mike',
      data: { owner: { id: member.id }, previous_owner: { id: owner.id, name: 'Olga' } },
    });
    // The key of the former owner now has the permissions of an admin.
    expect(await cloud.main(secret).put(`${path}/billing/info`, { company: 'X' })).toBeProblem(
      'insufficient_permissions',
    );
    expect(await owner.delete(`${path}?code=ABCDEFGH`)).toBeProblem('not_tenant_owner');
    expect(await accept(member, transfer.id)).toBeProblem('state_conflict', { state: 'accepted' });
    expect((await owner.delete(`${path}/membership`)).status).toBe(204);
  });

  it('is the only one who can request the code, with a session, for one member of the tenant', async () => {
    const one = await tenant(['admin']);
    const key = await given.key(cloud, { tenantId: one.id, userId: one.owner.id });
    const action = { action_type: 'transfer_tenant', payload: { tenant_id: one.id, member_id: one.member.id } };

    expect(await asking(one, one.member.id, one.member)).toBeProblem('not_tenant_owner', { status: 403 });
    expect(await cloud.main(key).put(`${one.path}/request_code`, { action })).toBeProblem('api_key_not_allowed');
    expect(await asking(one, 999_999_999)).toBeProblem('member_not_found');
    const incomplete = { action: { action_type: 'transfer_tenant', payload: { tenant_id: one.id } } };
    expect(await one.owner.put(`${one.path}/request_code`, incomplete)).toBeProblem('validation_failed');
  });

  it('is the only one who can offer a transfer, and only with the code for that member', async () => {
    const one = await tenant(['admin']);
    const other = await given.person(cloud, { email: email('nora'), name: 'Nora' });
    await given.membership(cloud, other.id, { tenantId: one.id, roles: ['viewer'] });
    const body = { member_id: one.member.id };

    expect(await one.member.put(`${one.path}/owner?code=ABCDEFGH`, body)).toBeProblem('not_tenant_owner');
    expect(await cloud.main().put(`${one.path}/owner`, body)).toBeProblem('api_key_not_allowed');
    expect(await one.owner.put(`${one.path}/owner`, body)).toBeProblem('protection_code_required');
    const code = await codeFor(one);
    expect(await offer(one, other.id, code)).toBeProblem('protection_code_invalid');
    expect((await offer(one, one.member.id, code)).status).toBe(204);
    expect(await offer(one, one.member.id, code)).toBeProblem('protection_code_invalid');
  });

  it('stays the owner when the member rejects, is inactive, answers too late, or the offer is replaced', async () => {
    const [declined, removed, late, replaced] = [await tenant(), await tenant(), await tenant(), await tenant()];
    const ids = [await offered(declined), await offered(removed), await offered(late), await offered(replaced)];
    await declined.member.put(`/account/ownership_transfers/${ids[0]}/reject`);
    await cloud.rows('update members set active = false where user_id = $1', [removed.member.id]);
    await cloud.rows('update ownership_transfers set expires_at = now() where id = $1', [ids[2]]);
    await cloud.rows(`update protection_codes set requested_at = requested_at - interval '1 minute'`);
    const again = await offered(replaced);

    expect(await accept(declined.member, ids[0] ?? 0)).toBeProblem('state_conflict', { state: 'rejected' });
    expect(await accept(removed.member, ids[1] ?? 0)).toBeProblem('state_conflict');
    expect(await accept(late.member, ids[2] ?? 0)).toBeProblem('state_conflict', { state: 'expired' });
    expect(await accept(replaced.member, ids[3] ?? 0)).toBeProblem('state_conflict', { state: 'replaced' });
    expect(await accept(declined.member, again)).toBeProblem('ownership_transfer_not_found');
    for (const { id, owner } of [declined, removed, late, replaced])
      expect(await cloud.rows('select owner_id::int as owner from tenants where id = $1', [id])).toEqual([
        { owner: owner.id },
      ]);
    expect((await accept(replaced.member, again)).status).toBe(204);
  });

  it('changes once when two requests accept at the same time', async () => {
    const one = await tenant();
    const id = await offered(one);

    const answers = await Promise.all([accept(one.member, id), accept(one.member, id)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const owners = `select count(*)::int as n from member_roles m join roles r on r.id = m.role_id and r.name = 'owner'
                     where m.tenant_id = $1`;
    expect(await cloud.rows(owners, [one.id])).toEqual([{ n: 1 }]);
  });

  it('owns the whole tenant, also after a membership in one division', async () => {
    const one = await tenant(['admin']);
    const { divisions } = (await one.owner.get(`${one.path}/structure`)).body;
    await cloud.rows('update members set division_id = $2 where user_id = $1', [one.member.id, divisions[0].id]);

    expect((await accept(one.member, await offered(one))).status).toBe(204);

    expect((await one.member.get(`${one.path}/members/${one.member.id}`)).body.division_id).toBeNull();
    expect((await one.member.put(one.path, { name: 'Mine' })).status).toBe(204);
  });

  it('cannot be created by giving the role: not by assignment, change or approval', async () => {
    const one = await tenant(['admin']);
    const { items } = (await one.owner.get(`${one.path}/roles?kind=system`)).body;
    const role = items.find(({ name }: { name: string }) => name === 'owner').id;
    const { id } = await given.user(cloud, { email: email('pia') });
    const request = await given.joinRequest(cloud, id, one.id);
    const member = `${one.path}/members/${one.member.id}`;

    const answers = [
      await one.owner.put(`${one.path}/roles/${role}/members/assign`, { members: [one.member.id] }),
      await one.owner.put(member, { roles: [role] }),
      await one.owner.put(`${one.path}/join_requests/${request}/approve`, { roles: [role] }),
    ];

    for (const answer of answers) expect(answer).toBeProblem('owner_required', { status: 409 });
    expect(await rolesOf(one, one.member.id)).toEqual(['admin']);
  });
});

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
