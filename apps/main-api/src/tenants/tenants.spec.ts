import { given } from '@libs/testing';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('A tenant', () => {
  let cloud: TestMainApi;
  let config: string;

  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    config = `${cloud.tenant}/config`;
  });
  afterAll(() => cloud.close());

  const audited = (type: string) =>
    cloud.rows<{ data: any }>('select data from audit_entries where type = $1 and tenant_id = $2 order by id', [
      type,
      cloud.installation.tenant_id,
    ]);
  const events = () =>
    cloud.rows(`select data from outbox where type = 'tenant_config_updated' and tenant_id = $1`, [
      cloud.installation.tenant_id,
    ]);
  const claimDomain = (domain: string | null) =>
    cloud.rows('update tenants set email_domain = $2, email_domain_verified_at = $3 where id = $1', [
      cloud.installation.tenant_id,
      domain,
      domain && '2026-01-02T03:04:05.678Z',
    ]);

  it('changes the given members and records their previous values', async () => {
    const before = (await cloud.main().get(cloud.tenant)).body;

    const changed = await cloud.main().put(cloud.tenant, { name: 'Ämter & Co', description: before.description });

    expect(changed.status).toBe(204);
    expect((await cloud.main().get(cloud.tenant)).body).toMatchObject({ name: 'Ämter & Co', email: before.email });
    expect((await audited('tenant_updated')).at(-1)?.data).toEqual({
      name: 'Ämter & Co',
      previous: { name: before.name },
    });
  });

  it('accepts a PUT of the record that was read, which changes and records nothing', async () => {
    await claimDomain('example.com');
    const records = () =>
      cloud.rows('select (select count(*) from audit_entries) as audit, (select count(*) from outbox) as outbox');
    const before = await records();

    for (const path of [cloud.tenant, config]) {
      const { body } = await cloud.main().get(path);
      const shuffled = Object.fromEntries(Object.entries(body).reverse());
      expect(await cloud.main().put(path, shuffled)).toMatchObject({ status: 204 });
      expect((await cloud.main().get(path)).body).toEqual(body);
      const foreign = await cloud.main().put(path, { ...body, unheard: 1 });
      expect(foreign.body.field_issues).toEqual([expect.objectContaining({ path: '/unheard', code: 'unknown_field' })]);
    }
    expect(await cloud.main().put(cloud.tenant, { features: {} })).toBeProblem('validation_failed');
    expect(await records()).toEqual(before);
  });

  it('refuses a change of a record that has changed since it was read', async () => {
    for (const [path, change] of [
      [cloud.tenant, { description: 'late' }],
      [config, { join_policy: 'open', block_external_invitations: false, enforce_domain_only_invitations: false }],
    ] as const)
      expect(await cloud.main().put(path, change, { 'if-match': '"old"' })).toBeProblem('precondition_failed');
    const etag = (await cloud.main().get(cloud.tenant)).headers.get('etag') ?? '';

    const fresh = await cloud.main().put(cloud.tenant, { description: 'in time' }, { 'if-match': etag });

    expect(fresh.status).toBe(204);
  });

  it('stores the settings, and publishes a change of them once', async () => {
    await claimDomain('example.com');
    const changes = {
      join_policy: 'request_to_join',
      block_external_invitations: true,
      enforce_domain_only_invitations: false,
    };

    const first = await cloud.main().put(config, changes);
    const again = await cloud.main().put(config, changes);

    expect([first.status, again.status]).toEqual([204, 204]);
    expect((await cloud.main().get(config)).body).toEqual({
      ...changes,
      email_domain: 'example.com',
      email_domain_verified_at: '2026-01-02T03:04:05.678Z',
    });
    const data = {
      join_policy: 'request_to_join',
      block_external_invitations: true,
      previous: { join_policy: 'invite_only', block_external_invitations: false },
    };
    expect(await audited('tenant_config_updated')).toEqual([{ data }]);
    expect(await events()).toEqual([{ data }]);
  });

  it('accepts a join policy without a domain, but no restriction by domain', async () => {
    const other = await given.tenant(cloud);
    const key = await given.key(cloud, { tenantId: other.tenantId });
    const path = `/tenants/${other.tenantId}/config`;
    const open = { join_policy: 'open', block_external_invitations: false, enforce_domain_only_invitations: false };

    expect((await cloud.main(key).put(path, open)).status).toBe(204);
    for (const lock of ['block_external_invitations', 'enforce_domain_only_invitations'])
      expect(await cloud.main(key).put(path, { ...open, [lock]: true })).toBeProblem('tenant_has_no_email_domain', {
        status: 400,
      });
    expect((await cloud.main(key).get(path)).body).toEqual(open);
    expect(await cloud.main(key).put(path, { ...open, email_domain: 'mine.example' })).toBeProblem('validation_failed');
  });

  it('requires all three settings', async () => {
    const answer = await cloud.main().put(config, { join_policy: 'anybody' });

    expect(answer).toBeProblem('validation_failed');
    expect(new Set(answer.body.field_issues.map(({ path }: any) => path))).toEqual(
      new Set(['/join_policy', '/block_external_invitations', '/enforce_domain_only_invitations']),
    );
  });

  it('lists the types of notifications and of the audit for keys with the permission, and for sessions', async () => {
    const [without, reader] = [
      await given.key(cloud, { permissions: {} }),
      await given.key(cloud, { permissions: { division: ['notifications:read'] } }),
    ];
    const person = await given.person(cloud, { email: 'types@people.example' });

    const { status, body } = await cloud.main(reader).get('/notifications/types');

    expect(status).toBe(200);
    expect(body).toContainEqual({ type: 'tenant_config_updated', name: 'Tenant settings changed' });
    for (const path of ['/notifications/types', '/audit/types']) {
      expect(await cloud.main(without).get(path)).toBeProblem('insufficient_permissions');
      expect((await person.get(path)).status).toBe(200);
    }
    expect(await cloud.main(null).get('/notifications/types')).toBeProblem('unauthenticated');
  });
});
