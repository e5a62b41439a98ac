import { eventually, given, TestCloud } from '@libs/testing';

describe('A tenant', () => {
  let cloud: TestCloud;
  let config: string;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    config = `${cloud.tenant}/config`;
  });
  afterAll(() => cloud.stop());

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
    const wanted = {
      join_policy: 'request_to_join',
      block_external_invitations: true,
      enforce_domain_only_invitations: false,
    };

    const first = await cloud.main().put(config, wanted);
    const again = await cloud.main().put(config, wanted);

    expect([first.status, again.status]).toEqual([204, 204]);
    expect((await cloud.main().get(config)).body).toEqual({
      ...wanted,
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

  describe('in structure, summary and health', () => {
    let other: { tenantId: number; divisionId: number; environmentId: number };
    let tenant: string;
    let second: { divisionId: number; environmentId: number };

    beforeAll(async () => {
      other = await given.tenant(cloud);
      tenant = `/tenants/${other.tenantId}`;
      const key = await given.key(cloud, { tenantId: other.tenantId });
      const division = (await cloud.main(key).post(`${tenant}/divisions`, { name: 'Second' })).body.id;
      const environment = (await cloud.main(key).post(`${tenant}/divisions/${division}/environments`, { name: 'e2' }))
        .body.id;
      second = { divisionId: division, environmentId: environment };
      const order = { cloud: 'aws', region: 'us-east-1', environment_id: other.environmentId };
      const path = `${tenant}/divisions/${other.divisionId}/deployments/starter`;
      const { status, body } = await cloud.main(key).post(path, order);
      expect(status).toBe(202);
      const operation = await cloud.main(key).get(`${tenant}/operations/${body.operation_id}?wait=60`);
      expect(operation.body).toMatchObject({ status: 'succeeded' });
    });

    const structure = async (requested: object) => {
      const key = await given.key(cloud, { tenantId: other.tenantId, ...requested });
      return (await cloud.main(key).get(`${tenant}/structure`)).body;
    };
    const summary = async (requested: object) => {
      const key = await given.key(cloud, { tenantId: other.tenantId, ...requested });
      return (await cloud.main(key).get(`${tenant}/summary`)).body;
    };

    it('is a tree with counts', async () => {
      const [{ id, name, code }] = (await cloud.rows<any>(
        'select id, name, code from deployments where tenant_id = $1',
        [other.tenantId],
      )) as [any];

      expect(await structure({})).toEqual({
        id: other.tenantId,
        name: 'Other',
        divisions: [
          {
            id: other.divisionId,
            name: 'Default',
            deployments_count: 1,
            environments: [
              {
                id: other.environmentId,
                name: 'sandbox',
                deployments_count: 1,
                deployments: [
                  {
                    id: Number(id),
                    name,
                    code,
                    cloud: 'aws',
                    variant: 'starter',
                    region: 'us-east-1',
                    tier: 'free',
                    supervisor_url: cloud.supervisor.url,
                  },
                ],
              },
            ],
          },
          {
            id: second.divisionId,
            name: 'Second',
            deployments_count: 0,
            environments: [{ id: second.environmentId, name: 'e2', deployments_count: 0, deployments: [] }],
          },
        ],
      });
    });

    it('has counts', async () => {
      expect(await summary({})).toEqual({
        total_divisions: 2,
        total_environments: 2,
        total_deployments: 1,
        by_cloud: { aws: 1 },
        by_region: { 'us-east-1': 1 },
        by_tier: { free: 1 },
        by_variant: { starter: 1 },
      });
    });

    it('has a health at the Supervisor', async () => {
      const health = async (path: string, requested: object = {}) =>
        cloud.runtime(await given.key(cloud, { tenantId: other.tenantId, ...requested })).get(path);
      const ofTenant = await eventually('the node has told its gauges', async () => {
        const { body } = await health(`${tenant}/summary`);
        return body.nodes.reachable === 1 && body.memory_percent !== null ? body : null;
      });
      const nothing = { deployments: { total: 0, by_status: {} }, nodes: { total: 0, reachable: 0, unreachable: 0 } };

      expect(ofTenant).toEqual({
        deployments: { total: 1, by_status: { initialized: 1 } },
        nodes: { total: 1, reachable: 1, unreachable: 0 },
        cpu_percent: expect.any(Number),
        memory_percent: expect.any(Number),
        disk_percent: expect.any(Number),
        generated_at: expect.stringMatching(/^20\d\d-.*Z$/),
      });
      expect(ofTenant.memory_percent).toBeGreaterThan(1);
      const [first, other_] = [other.divisionId, second.divisionId].map((id) => `${tenant}/divisions/${id}/summary`);
      expect((await health(first ?? '')).body).toMatchObject({ deployments: { total: 1 } });
      expect((await health(other_ ?? '')).body).toMatchObject({ ...nothing, cpu_percent: null, memory_percent: null });
      expect((await health(`${tenant}/summary`, { divisionId: second.divisionId })).body).toMatchObject(nothing);
      expect(await health(first ?? '', { divisionId: second.divisionId })).toBeProblem('division_not_found');
      const blind = { permissions: { tenant: ['division:read'] } };
      expect(await health(`${tenant}/summary`, blind)).toBeProblem('insufficient_permissions', {
        permission: 'deployment:read',
      });
      expect(await cloud.runtime().get(`${tenant}/summary`)).toBeProblem('tenant_not_found');

      await cloud.rows(`update nodes set unreachable_since = now() + interval '1 hour'`);
      const silent = (await health(`${tenant}/summary`)).body;
      await cloud.rows('update nodes set unreachable_since = null');
      await cloud.rows(`update deployment_runtimes set cell = 'elsewhere'`);
      const elsewhere = (await health(`${tenant}/summary`)).body;
      await cloud.rows(`update deployment_runtimes set cell = 'local'`);

      expect(silent).toMatchObject({
        nodes: { total: 1, reachable: 0, unreachable: 1 },
        cpu_percent: null,
        disk_percent: null,
      });
      expect(elsewhere).toMatchObject(nothing);
    });

    it('shows each key only what its permissions allow', async () => {
      const names = (tree: any) => tree.divisions.map(({ name }: any) => name);
      const blind = await structure({ permissions: { tenant: ['settings:read'] } });
      const scoped = await structure({ divisionId: second.divisionId });
      const counting = await structure({ permissions: { tenant: ['environment:read'] } });
      const exact = await structure({
        permissions: {
          divisions: {
            [other.divisionId]: {
              permissions: [],
              environment: [],
              environments: { [other.environmentId]: ['deployment:read'] },
            },
          },
        },
      });

      expect(blind.divisions).toEqual([]);
      expect(names(scoped)).toEqual(['Second']);
      expect(names(counting)).toEqual(['Default', 'Second']);
      expect(counting.divisions[0].environments[0]).toMatchObject({ deployments_count: 1, deployments: [] });
      expect(names(exact)).toEqual(['Default']);
      expect(exact.divisions[0].environments[0].deployments).toHaveLength(1);
      expect(await summary({ divisionId: second.divisionId })).toMatchObject({
        total_divisions: 1,
        total_environments: 1,
        total_deployments: 0,
        by_cloud: {},
      });
      expect(await summary({ permissions: { tenant: ['settings:read'] } })).toMatchObject({
        total_divisions: 0,
        total_deployments: 0,
      });
    });
  });

  it('lists the types of notifications for any key, but not without a key', async () => {
    const key = await given.key(cloud, { permissions: {} });

    const { status, body } = await cloud.main(key).get('/notifications/types');

    expect(status).toBe(200);
    expect(body).toContainEqual({ type: 'tenant_config_updated', name: 'Tenant settings changed' });
    expect(await cloud.main(null).get('/notifications/types')).toBeProblem('unauthenticated');
  });
});
