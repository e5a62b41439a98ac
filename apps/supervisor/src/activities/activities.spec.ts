import type { DeploymentId, NodeId } from '@libs/domain';
import { ActivitiesRepository } from '@libs/persistence/runtime';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

describe('Activities', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let path: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId, nodeId } = deployment);
    path = `${deployment.path}/activities`;
  });

  const request = (action: string, body: object = {}): Promise<ApiAnswer> =>
    cloud.runtime().post(`${path}/${action}`, body);
  const list = async () => (await cloud.runtime().get(path)).body;
  /** The only configuration of the broker. */
  const configId = async (): Promise<number> => {
    const [row] = await cloud.rows<{ id: string }>('select id from configs where deployment_id = $1', [deploymentId]);
    return Number(row?.id);
  };

  it('are accepted as one operation, with one activity for each node', async () => {
    const accepted = await request('broker/restart');

    const operation = Number(accepted.headers.get('ld-operation'));
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ deployment_id: deploymentId, operation_id: operation });
    const memo = { runtime: 'broker', action: 'restart', config_id: null, nodes: [nodeId] };
    expect(await cloud.operations(deploymentId)).toEqual([
      { id: operation, type: 'run_activity', status: 'pending', memo: expect.objectContaining(memo) },
    ]);
    expect((await list()).items).toEqual([
      {
        ...{ id: expect.any(Number), deployment_id: deploymentId, node_id: nodeId, author_id: expect.any(Number) },
        ...{ tenant_id: cloud.installation.tenant_id, division_id: cloud.installation.division_id },
        ...{ environment_id: cloud.installation.environment_id, runtime: 'broker', action: 'restart' },
        ...{ status: 'processing', error: null, created_at: expect.stringMatching(/Z$/), finished_at: null },
      },
    ]);
    expect(await cloud.audit(deploymentId)).toEqual([
      { type: 'activity_requested', data: { runtime: 'broker', action: 'restart', nodes: null } },
    ]);
  });

  it('leave the document of the node to the operation', async () => {
    const before = await cloud.document(nodeId);

    await request('broker/stop', { nodes: [nodeId] });

    expect(await cloud.document(nodeId)).toEqual(before);
  });

  it('show the error of a node that rejected the action', async () => {
    const { body } = await request('broker/stop');
    const failed = { nodeIds: [nodeId], error: 'the broker does not stop' };
    await cloud.asSupervisor((database) =>
      new ActivitiesRepository(database).reject(body.operation_id, failed, 'other'),
    );

    expect((await list()).items).toMatchObject([
      { status: 'rejected', error: 'the broker does not stop', finished_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it('apply a configuration of the broker of the same deployment only', async () => {
    const other = await cloud.deployment();
    const activeConfig = await configId();
    const [foreign] = await cloud.rows<{ id: string }>('select id from configs where deployment_id = $1', [
      other.deploymentId,
    ]);

    expect(await request(`broker/reconfigure:${foreign?.id}`)).toBeProblem('config_not_found');
    expect((await request(`broker/reconfigure:${activeConfig}`)).status).toBe(202);
    expect((await list()).items).toMatchObject([{ action: `reconfigure:${activeConfig}` }]);
  });

  it.each([
    ['an unknown runtime', 'kernel/restart', {}, '/runtime'],
    ['an unknown action', 'broker/explode', {}, '/action'],
    ['a reconfiguration without a configuration', 'broker/reconfigure', {}, '/action'],
    ['a restart with a configuration', 'broker/restart:1', {}, '/action'],
    ['a node that is not of the deployment', 'broker/restart', { nodes: [999_999] }, '/nodes/0'],
    ['no nodes', 'broker/restart', { nodes: [] }, '/nodes'],
  ])('are refused for %s', async (_, action, body, field) => {
    const answer = await request(action, body);

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path: at }: { path: string }) => at)).toContain(field);
    expect(await cloud.operations(deploymentId)).toEqual([]);
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it('are refused while another operation changes the deployment, or when nothing can be changed', async () => {
    expect(await request('connectors/restart')).toBeProblem('state_conflict', { state: 'inactive' });
    const { body } = await request('broker/restart');

    expect(await request('broker/stop')).toBeProblem('state_conflict', { operation_id: body.operation_id });
    await cloud.rows(`update operations set status = 'succeeded', finished_at = now() where id = $1`, [
      body.operation_id,
    ]);
    await cloud.rows(`update deployment_runtimes set status = 'creating' where deployment_id = $1`, [deploymentId]);
    expect(await request('broker/stop')).toBeProblem('state_conflict', { state: 'creating' });
    expect((await list()).total_results).toBe(1);
  });

  it('need the permission to manage the deployment', async () => {
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    const reader = cloud.runtime(key);

    expect((await reader.get(path)).status).toBe(200);
    expect(await reader.post(`${path}/broker/restart`)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:manage',
    });
    expect(await cloud.operations(deploymentId)).toEqual([]);
  });

  it('of another organization are not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(`${foreign.path}/activities`),
      await cloud.runtime().post(`${foreign.path}/activities/broker/stop`),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await cloud.operations(foreign.deploymentId)).toEqual([]);
  });
});
