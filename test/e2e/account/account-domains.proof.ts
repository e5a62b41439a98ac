import { TestCloud } from '@libs/testing';
import { People } from '../../../apps/main-api/test/people.fixture.js';

describe('The domain of a verified address', () => {
  let cloud: TestCloud;
  let people: People;
  let made = 0;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    people = new People(cloud);
  });
  afterAll(() => cloud.stop());

  const domain = (): string => `company-${(made += 1)}.example`;
  const prove = async (email: string, more = {}) => (await people.verify(await people.register(email, more))).body;
  const entries = (type: string, tenantId: number) =>
    cloud.rows<any>('select * from audit_entries where type = $1 and tenant_id = $2', [type, tenantId]);
  const events = (type: string, tenantId: number) =>
    cloud.rows<any>('select * from outbox where type = $1 and tenant_id = $2', [type, tenantId]);
  /** Creates a tenant that has claimed a new domain, with this join policy. */
  async function claimed(join_policy: string, plan = 'enterprise') {
    const name = domain();
    const owner = people.address(name);
    const { tenant_id: tenantId } = await prove(owner, { name: 'Olga' });
    await cloud.rows('update tenants set plan = $2 where id = $1', [tenantId, plan]);
    const { cookie, headers } = await people.browser(owner);
    const config = { join_policy, block_external_invitations: false, enforce_domain_only_invitations: false };
    const { status } = await cloud.main(null).put(`/tenants/${tenantId}/config`, config, headers);
    if (status !== 204) throw new TypeError('the policy was not set');
    return { domain: name, owner, tenantId: tenantId as number, cookie, headers };
  }

  it('is claimed by the first user with an address of the domain, and the claim is audited', async () => {
    const name = domain();
    const email = people.address(`mail.${name}`);

    const { body, headers } = await people.verify(await people.register(email));

    expect(body).toEqual({ email, workspace: 'claimed', tenant_id: expect.any(Number) });
    const { cookie } = await people.browser(email);
    const config = await cloud.main(null).get(`/tenants/${body.tenant_id}/config`, cookie);
    expect(config.body).toMatchObject({ email_domain: name, join_policy: 'invite_only' });
    expect(Date.now() - Date.parse(config.body.email_domain_verified_at)).toBeLessThan(60_000);
    const [entry] = await entries('email_domain_claimed', body.tenant_id);
    expect(entry).toMatchObject({ data: { email_domain: name }, author_name: 'Ann', api_key_id: null });
    expect(entry.correlation_id.replaceAll('-', '')).toBe(headers.get('ld-request'));
  });

  it('is not claimed before the address is verified', async () => {
    const name = domain();
    await people.register(people.address(name));

    const { workspace } = await prove(people.address(name));

    expect(workspace).toBe('claimed');
  });

  it.each(['gmail.com', 'sub.outlook.com', 'mail.ru', 'somebody.github.io'])(
    'is not claimed if it belongs to a public provider or is a public suffix: %s',
    async (name) => {
      const body = await prove(people.address(name));

      expect(body.workspace).toBe(name.endsWith('github.io') ? 'claimed' : 'own');
      expect(await prove(people.address(`other.${name}`))).toMatchObject({
        workspace: name.endsWith('github.io') ? 'awaiting_invitation' : 'own',
      });
    },
  );

  it('is claimed once when many users verify their addresses at the same time', async () => {
    const name = domain();
    const tokens = [];
    for (let n = 0; n < 6; n += 1) tokens.push(await people.register(people.address(name)));

    const answers = await Promise.all(tokens.map((token) => people.verify(token)));

    const workspaces = answers.map(({ body }) => body.workspace).sort();
    expect(workspaces).toEqual([...Array(5).fill('awaiting_invitation'), 'claimed']);
    const [row] = await cloud.rows<any>('select count(*)::int as n from tenants where email_domain = $1', [name]);
    expect(row.n).toBe(1);
  });

  it('adds new users as viewers with the policy open, and notifies the owner', async () => {
    const company = await claimed('open');
    const email = people.address(`eu.${company.domain}`);

    const body = await prove(email, { name: 'Ben' });

    expect(body).toEqual({ email, workspace: 'joined', tenant_id: company.tenantId });
    const { cookie, headers } = await people.browser(email);
    const { tenants } = (await cloud.main(null).get('/account', cookie)).body;
    expect(tenants.map(({ owner }: { owner: boolean }) => owner).sort()).toEqual([false, true]);
    const tenant = `/tenants/${company.tenantId}`;
    expect((await cloud.main(null).get(tenant, cookie)).status).toBe(200);
    expect(await cloud.main(null).put(tenant, { name: 'Mine' }, headers)).toBeProblem('insufficient_permissions');
    const mail = await people.mail(company.owner, `${email} has joined`);
    expect(mail.text).toContain(`${email} has joined`);
    const [entry] = await entries('member_joined', company.tenantId);
    expect(entry).toMatchObject({ author_name: 'Ben', user_name: 'Ben', data: { email, roles: ['viewer'] } });
    expect(await events('member_joined', company.tenantId)).toHaveLength(1);
  });

  it('sends a join request to the owner with the policy request_to_join', async () => {
    const company = await claimed('request_to_join');
    const email = people.address(company.domain);

    const body = await prove(email, { name: 'Cleo' });

    expect(body).toEqual({ email, workspace: 'join_requested' });
    const mail = await people.mail(company.owner, ' asks to join ');
    const requests = await cloud.main(null).get(`/tenants/${company.tenantId}/join_requests`, company.cookie);
    const [request] = await cloud.rows<any>('select * from join_requests where tenant_id = $1', [company.tenantId]);
    expect(mail.text).toContain(`/console/t/${company.tenantId}/join-requests/${request.id}`);
    expect(request).toMatchObject({ status: 'pending', user_id: await people.userId(email) });
    expect(requests.body.items).toHaveLength(1);
    expect(await events('tenant_join_requested', company.tenantId)).toHaveLength(1);
    expect((await entries('join_requested', company.tenantId))[0]).toMatchObject({ author_name: 'Cleo' });
    const { cookie } = await people.browser(email);
    expect(await cloud.main(null).get(`/tenants/${company.tenantId}`, cookie)).toBeProblem('tenant_not_found');
  });

  it('adds no member and notifies no one with the policy invite_only', async () => {
    const company = await claimed('invite_only');
    const before = await people.mailsTo(company.owner);

    const body = await prove(people.address(company.domain));

    expect(body.workspace).toBe('awaiting_invitation');
    expect(body).not.toHaveProperty('tenant_id');
    expect(await entries('member_joined', company.tenantId)).toEqual([]);
    const [row] = await cloud.rows<any>('select count(*)::int as n from mails where recipient = $1', [company.owner]);
    expect(row.n).toBe(before.length);
  });

  it('sends join requests above the member limit of the plan, also for many users at once', async () => {
    const company = await claimed('open', 'basic');
    const tokens = [];
    for (let n = 0; n < 5; n += 1) tokens.push(await people.register(people.address(company.domain)));

    const answers = await Promise.all(tokens.map((token) => people.verify(token)));

    const workspaces = answers.map(({ body }) => body.workspace).sort();
    expect(workspaces).toEqual(['join_requested', 'join_requested', 'join_requested', 'joined', 'joined']);
    const [row] = await cloud.rows<any>('select count(*)::int as n from members where tenant_id = $1', [
      company.tenantId,
    ]);
    expect(row.n).toBe(3);
  });

  it('can be claimed again after its tenant is deleted', async () => {
    const company = await claimed('invite_only');
    await cloud.rows('update tenants set deleted_at = now() where id = $1', [company.tenantId]);

    expect((await prove(people.address(company.domain))).workspace).toBe('claimed');
  });

  describe('verified by a password reset', () => {
    const byReset = async (email: string) => {
      await people.register(email);
      const token = await people.resetToken(email);
      const set = { token, password: 'quite another phrase' };
      return cloud.main(null).put('/account/password_reset', set);
    };

    it('is not claimed: the reader of the mail may differ from the user who created the organization', async () => {
      const name = domain();

      expect((await byReset(people.address(name))).status).toBe(204);

      const [row] = await cloud.rows<any>('select count(*)::int as n from tenants where email_domain = $1', [name]);
      expect(row.n).toBe(0);
      expect((await prove(people.address(name))).workspace).toBe('claimed');
    });

    it('admits the user like any other verification', async () => {
      const company = await claimed('open');
      const email = people.address(company.domain);

      await byReset(email);

      expect(await entries('member_joined', company.tenantId)).toHaveLength(1);
      const { cookie } = await people.browser(email, 'quite another phrase');
      expect((await cloud.main(null).get(`/tenants/${company.tenantId}`, cookie)).status).toBe(200);
    });
  });
});
