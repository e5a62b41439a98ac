import { eventually, given, TestCloud } from '@libs/testing';

describe('A tenant', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

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

    const structure = async (keyOptions: object) => {
      const key = await given.key(cloud, { tenantId: other.tenantId, ...keyOptions });
      return (await cloud.main(key).get(`${tenant}/structure`)).body;
    };
    const summary = async (keyOptions: object) => {
      const key = await given.key(cloud, { tenantId: other.tenantId, ...keyOptions });
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
      const health = async (path: string, keyOptions: object = {}) =>
        cloud.runtime(await given.key(cloud, { tenantId: other.tenantId, ...keyOptions })).get(path);
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
});
