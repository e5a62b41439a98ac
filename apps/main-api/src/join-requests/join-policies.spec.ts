import { eventually, type ApiAnswer } from '@libs/testing';
import { People, type Browser } from '../../test/people.fixture.js';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** A user with a session. */
interface Person {
  email: string;
  browser: Browser;
}

/**
 * One organization with a domain, a second organization, and users who join the first one: one scenario for each
 * policy.
 */
describe('A join policy', () => {
  let cloud: TestMainApi;
  let people: People;
  let count = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    people = new People(cloud);
  });
  afterAll(() => cloud.close());

  const get = (who: Person, path: string): Promise<ApiAnswer> => cloud.main(null).get(path, who.browser.cookie);
  const put = (who: Person, path: string, body: object = {}): Promise<ApiAnswer> =>
    cloud.main(null).put(path, body, who.browser.headers);
  const post = (who: Person, path: string, body: object): Promise<ApiAnswer> =>
    cloud.main(null).post(path, body, who.browser.headers);

  async function comesIn(name: string, email: string): Promise<Person & { workspace: string; tenantId: number }> {
    const { body } = await people.verify(await people.register(email, { name }));
    return { email, browser: await people.browser(email), workspace: body.workspace, tenantId: body.tenant_id };
  }

  /** Creates the organization of Olga with a domain and this policy, and the organization of Xavier. */
  async function twoTenants(join_policy: string, block_external_invitations = false) {
    count += 1;
    const domain = `acme-${count}.example`;
    const olga = await comesIn('Olga', `olga@${domain}`);
    const xavier = await comesIn('Xavier', `xavier@rival-${count}.example`);
    const config = { join_policy, block_external_invitations, enforce_domain_only_invitations: false };
    expect((await put(olga, `/tenants/${olga.tenantId}/config`, config)).status).toBe(204);
    return { domain, olga, xavier, tenant: `/tenants/${olga.tenantId}`, rival: `/tenants/${xavier.tenantId}` };
  }

  /** The audit of a tenant, oldest first: type, author and affected user. */
  async function trail(who: Person, tenant: string): Promise<string[]> {
    const { body } = await get(who, `/audit${tenant}?results=100`);
    const line = ({
      type,
      author,
      user,
    }: {
      type: string;
      author: { name: string } | null;
      user: { name: string } | null;
    }) => [type, author?.name ?? 'nobody', ...(user ? [user.name] : [])].join(' ');
    return body.items.map(line).reverse();
  }

  const members = async (who: Person, tenant: string): Promise<string[]> => {
    const { body } = await get(who, `${tenant}/members?results=100`);
    const named = ({ name, roles }: { name: string; roles: { name: string }[] }) =>
      `${name}: ${roles.map((role) => role.name).join(', ')}`;
    return body.items.map(named).sort();
  };
  const events = async (tenant: string): Promise<string[]> => {
    const rows = await cloud.rows<{ type: string }>('select type from outbox where tenant_id = $1 order by id', [
      tenant.split('/').at(-1),
    ]);
    return rows.map(({ type }) => type);
  };

  it('open adds users with a verified address of the domain as viewers, and notifies the owner', async () => {
    const { domain, olga, xavier, tenant, rival } = await twoTenants('open');

    const bob = await comesIn('Bob', `bob@${domain}`);

    expect(bob).toMatchObject({ workspace: 'joined', tenantId: olga.tenantId });
    expect((await people.mail(olga.email, bob.email)).text).not.toContain('Bob');
    expect(await members(olga, tenant)).toEqual(['Bob: viewer', 'Olga: owner']);
    expect((await get(bob, `${tenant}/divisions`)).status).toBe(200);
    expect(await post(bob, `${tenant}/divisions`, { name: 'mine' })).toBeProblem('insufficient_permissions');
    expect(await get(bob, `${rival}/members`)).toBeProblem('tenant_not_found');
    expect(await members(xavier, rival)).toEqual(['Xavier: owner']);
    expect(await trail(olga, tenant)).toEqual([
      'tenant_created Olga Olga',
      'email_domain_claimed Olga Olga',
      'tenant_config_updated Olga',
      'member_joined Bob Bob',
    ]);
    expect(await events(tenant)).toEqual(['tenant_config_updated', 'member_joined']);
  });

  it('request_to_join requests a decision of the owner, who approves or rejects', async () => {
    const { domain, olga, tenant, xavier, rival } = await twoTenants('request_to_join');

    const bob = await comesIn('Bob', `bob@${domain}`);
    const carol = await comesIn('Carol', `carol@sub.${domain}`);

    expect([bob.workspace, carol.workspace]).toEqual(['join_requested', 'join_requested']);
    expect((await people.mail(olga.email, bob.email)).text).not.toContain('Bob');
    expect(await get(bob, `${tenant}/divisions`)).toBeProblem('tenant_not_found');
    const { body } = await get(olga, `${tenant}/join_requests?status=pending`);
    const [ofCarol, ofBob] = body.items;
    expect(await put(xavier, `${tenant}/join_requests/${ofBob.id}/approve`)).toBeProblem('tenant_not_found');
    expect(await put(xavier, `${rival}/join_requests/${ofBob.id}/approve`)).toBeProblem('join_request_not_found');
    expect((await put(olga, `${tenant}/join_requests/${ofBob.id}/approve`)).status).toBe(204);
    expect((await put(olga, `${tenant}/join_requests/${ofCarol.id}/reject`)).status).toBe(204);

    expect(await members(olga, tenant)).toEqual(['Bob: viewer', 'Olga: owner']);
    await eventually('Bob reads of it', async () => (await people.mailsTo(bob.email)).length > 1);
    expect((await get(bob, `${tenant}/divisions`)).status).toBe(200);
    expect(await get(carol, `${tenant}/divisions`)).toBeProblem('tenant_not_found');
    expect(await trail(olga, tenant)).toEqual([
      'tenant_created Olga Olga',
      'email_domain_claimed Olga Olga',
      'tenant_config_updated Olga',
      'join_requested Bob Bob',
      'join_requested Carol Carol',
      'join_approved Olga Bob',
      'join_rejected Olga Carol',
    ]);
    expect(await events(tenant)).toEqual([
      'tenant_config_updated',
      'tenant_join_requested',
      'tenant_join_requested',
      'member_joined',
    ]);
  });

  it('invite_only requires an invitation, which another tenant cannot send to a locked domain', async () => {
    const { domain, olga, tenant, xavier, rival } = await twoTenants('invite_only', true);

    const bob = await comesIn('Bob', `bob@${domain}`);

    expect(bob.workspace).toBe('awaiting_invitation');
    expect(await people.mailsTo(olga.email, 'Bob')).toEqual([]);
    expect(await post(xavier, `${rival}/invitations`, { email: bob.email })).toBeProblem('invitee_domain_locked');
    expect(await get(bob, `${tenant}/divisions`)).toBeProblem('tenant_not_found');
    const invited = await post(olga, `${tenant}/invitations`, { email: bob.email });
    expect(invited.status).toBe(201);
    await eventually('Bob reads of it', async () =>
      (await people.mailsTo(bob.email)).some(({ text }) =>
        text.includes(`/console/account/invitations/${invited.body.id}`),
      ),
    );
    const [waiting] = (await get(bob, '/account/invitations')).body.items;
    expect(waiting).toMatchObject({ id: invited.body.id, tenant: { id: olga.tenantId } });
    expect((await put(bob, `/account/invitations/${waiting.id}/accept`)).status).toBe(204);

    expect(await members(olga, tenant)).toEqual(['Bob: viewer', 'Olga: owner']);
    expect(await trail(olga, tenant)).toEqual([
      'tenant_created Olga Olga',
      'email_domain_claimed Olga Olga',
      'tenant_config_updated Olga',
      'member_invited Olga',
      'invitation_accepted Bob Bob',
    ]);
    expect(await trail(xavier, rival)).toEqual(['tenant_created Xavier Xavier', 'email_domain_claimed Xavier Xavier']);
    expect(await events(tenant)).toEqual([
      'tenant_config_updated',
      'invitation_created',
      'member_joined',
      'invitation_accepted',
    ]);
  });
});
