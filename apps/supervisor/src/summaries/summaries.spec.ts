import type { DivisionGrant, NodeId } from '@libs/domain';
import { NodesRepository } from '@libs/persistence/runtime';
import { given } from '@libs/testing';
import { TestSupervisor, type DeploymentPlace } from '../../test/test-supervisor.fixture.js';

const UNREACHABLE_AFTER = 120;
const NONE = {
  deployments: { total: 0, by_status: {} },
  nodes: { total: 0, reachable: 0, unreachable: 0 },
  ...{ cpu_percent: null, memory_percent: null, disk_percent: null },
};

describe('The health summary', () => {
  let cloud: TestSupervisor;
  /** Each test has its own organization, so that it counts only its own deployments. */
  let place: DeploymentPlace;
  let owner: string;
  let tenant: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open({ NODE_UNREACHABLE_SECONDS: String(UNREACHABLE_AFTER) });
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    place = await given.tenant(cloud);
    owner = await given.key(cloud, { tenantId: place.tenantId });
    tenant = `/tenants/${place.tenantId}`;
  });

  /** The summary without its time. */
  const summary = async (key = owner, path = tenant) => {
    const { deployments, nodes, ...more } = (await cloud.runtime(key).get(`${path}/summary`)).body;
    const { cpu_percent, memory_percent, disk_percent } = more;
    return { deployments, nodes, cpu_percent, memory_percent, disk_percent };
  };
  const deployment = () => cloud.deployment(undefined, place);
  /** Another division of the organization, with an environment. */
  const anotherDivision = async (): Promise<DeploymentPlace> => {
    const [row] = await cloud.rows<{ division: string; environment: string }>(
      `with other as (insert into divisions (tenant_id, name) values ($1, 'other') returning id),
            inner_one as (insert into environments (tenant_id, division_id, name) select $1, id, 'inner' from other returning id)
       select other.id as division, inner_one.id as environment from other, inner_one`,
      [place.tenantId],
    );
    return { ...place, divisionId: Number(row?.division), environmentId: Number(row?.environment) };
  };
  const report = (nodeId: NodeId, gauges: Record<string, number>) =>
    cloud.asSupervisor((database) =>
      new NodesRepository(database).recordStatuses([
        {
          ...{ nodeId, status: 'running', reason: null, agentVersion: '1', runtimes: [], gauges },
          observed: { timeline: 1, generation: 1, hash: 'h' },
        },
      ]),
    );

  it('of a tenant without deployments counts nothing', async () => {
    const answer = await cloud.runtime(owner).get(`${tenant}/summary`);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...NONE, generated_at: expect.stringMatching(/Z$/) });
  });

  it('counts deployments by status and nodes by their last report, with the average load of reachable nodes', async () => {
    const [first, second, silent, created] = [
      await deployment(),
      await deployment(),
      await deployment(),
      await deployment(),
    ];
    await report(first.nodeId, { cpu_percent: 10, memory_percent: 20, disk_bytes: 1e9 });
    await report(second.nodeId, { cpu_percent: 20.333, memory_percent: 40, disk_bytes: 3e9 });
    await report(silent.nodeId, { cpu_percent: 99 });
    await cloud.rows(`update nodes set last_seen_at = now() - make_interval(secs => $2) where id = $1`, [
      silent.nodeId,
      UNREACHABLE_AFTER + 1,
    ]);
    await cloud.rows(`update deployment_runtimes set status = 'creating' where deployment_id = $1`, [
      created.deploymentId,
    ]);

    expect(await summary()).toEqual({
      deployments: { total: 4, by_status: { initialized: 3, creating: 1 } },
      nodes: { total: 4, reachable: 2, unreachable: 1 },
      ...{ cpu_percent: 15.17, memory_percent: 30, disk_percent: 2 },
    });
  });

  it('of a division counts the deployments of that division', async () => {
    const other = await anotherDivision();
    await deployment();

    expect((await summary(owner, `${tenant}/divisions/${place.divisionId}`)).deployments.total).toBe(1);
    expect(await summary(owner, `${tenant}/divisions/${other.divisionId}`)).toEqual(NONE);
    expect(await cloud.runtime(owner).get(`${tenant}/divisions/x/summary`)).toBeProblem('division_not_found');
  });

  it('counts only deployments that the caller may read', async () => {
    const other = await anotherDivision();
    await deployment();
    await cloud.deployment('hidden', other);
    const inside: DivisionGrant = {
      ...{ permissions: [], environment: [] },
      environments: { [place.environmentId]: ['deployment:read'] },
    };
    const divisions = { [place.divisionId]: inside };
    const reader = await given.key(cloud, { tenantId: place.tenantId, permissions: { divisions } });

    expect((await summary()).deployments.total).toBe(2);
    expect((await summary(reader)).deployments.total).toBe(1);
  });

  it('needs the permission to read deployments at some place', async () => {
    const { tenantId } = place;
    const key = await given.key(cloud, { tenantId, permissions: { tenant: ['info:read'] } });

    expect(await cloud.runtime(key).get(`${tenant}/summary`)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:read',
    });
    expect(await cloud.runtime(null).get(`${tenant}/summary`)).toBeProblem('unauthenticated');
  });

  it('of another organization is not found, and its deployments count only there', async () => {
    const other = await given.tenant(cloud);
    await cloud.deployment('their-broker', other);
    const theirs = `/tenants/${other.tenantId}`;

    for (const path of [theirs, `${theirs}/divisions/${other.divisionId}`])
      expect(await cloud.runtime(owner).get(`${path}/summary`)).toBeProblem('tenant_not_found', { status: 404 });
    expect(await summary()).toEqual(NONE);
    const theirKey = await given.key(cloud, { tenantId: other.tenantId });
    expect((await summary(theirKey, theirs)).deployments.total).toBe(1);
  });
});
