import type { ConfigId, DeploymentId, NodeId } from '@libs/domain';
import { ActivitiesRepository } from '@libs/persistence/runtime';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const RECONFIGURE = { type: 'broker:reconfigure' };

describe('Tasks', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let configId: ConfigId;
  let path: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId, nodeId } = deployment);
    path = `${deployment.path}/tasks`;
    const [config] = await cloud.rows<{ id: string }>('select id from configs where deployment_id = $1', [
      deploymentId,
    ]);
    configId = Number(config?.id);
  });

  const create = (body: object = RECONFIGURE): Promise<ApiAnswer> => cloud.runtime().post(path, body);
  const list = async () => (await cloud.runtime().get(path)).body;
  /** No worker runs here. Ends the operation of a task. */
  const end = (operation: number, status: 'succeeded' | 'failed') =>
    cloud.rows('update operations set status = $2, finished_at = now() where id = $1', [operation, status]);
  const operationOf = ({ headers }: ApiAnswer): number => Number(headers.get('ld-operation'));

  it('join the operation that configures the same nodes with the same configuration', async () => {
    const first = await create();
    const second = await create();

    expect([first.status, second.status]).toEqual([202, 202]);
    expect(operationOf(second)).toBe(operationOf(first));
    expect(second.body.id).not.toBe(first.body.id);
    expect(await cloud.operations(deploymentId)).toHaveLength(1);

    await end(operationOf(first), 'succeeded');
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed']);
  });

  it('apply the active configuration of the broker by one operation', async () => {
    const accepted = await create();

    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('ld-task')).toBe(String(accepted.body.id));
    expect(accepted.body).toEqual({
      ...{ id: expect.any(Number), type: 'broker:reconfigure', status: 'pending', config_id: configId },
      ...{ nodes: [{ node_id: nodeId, status: 'processing' }], author_id: expect.any(Number) },
      ...{ created_at: expect.stringMatching(/Z$/), finished_at: null },
    });
    expect(await list()).toEqual([accepted.body]);
    const memo = expect.objectContaining({ action: 'reconfigure', config_id: configId, nodes: [nodeId] });
    expect(await cloud.operations(deploymentId)).toEqual([
      { id: operationOf(accepted), type: 'run_activity', status: 'pending', memo },
    ]);
    expect(await cloud.audit(deploymentId)).toEqual([
      {
        type: 'task_requested',
        data: { task_id: accepted.body.id, type: 'broker:reconfigure', config_id: configId },
      },
    ]);
  });

  it('show the answer of each node, newest task first', async () => {
    const first = await create();
    await cloud.asSupervisor((database) => new ActivitiesRepository(database).complete(operationOf(first), nodeId));
    await end(operationOf(first), 'succeeded');
    const second = await create();
    const failed = { nodeIds: [nodeId], error: 'port 1883 is in use' };
    await cloud.asSupervisor((database) =>
      new ActivitiesRepository(database).reject(operationOf(second), failed, 'other'),
    );
    await end(operationOf(second), 'failed');

    expect(await list()).toMatchObject([
      {
        ...{ id: second.body.id, status: 'rejected', finished_at: expect.stringMatching(/Z$/) },
        nodes: [{ node_id: nodeId, status: 'rejected', error: 'port 1883 is in use' }],
      },
      { id: first.body.id, status: 'completed', nodes: [{ node_id: nodeId, status: 'completed' }] },
    ]);
  });

  it('are refused while another operation changes the deployment', async () => {
    const restart = await cloud.runtime().post(path.replace(/tasks$/, 'activities/broker/restart'), {});
    expect(restart.status).toBe(202);

    expect(await create()).toBeProblem('state_conflict', { operation_id: operationOf(restart), retryable: true });
    expect(await list()).toEqual([]);

    await end(operationOf(restart), 'succeeded');
    const stale = await create();
    await cloud.rows(`update operations set memo = memo || '{"config_id": 0}' where id = $1`, [operationOf(stale)]);
    expect(await create()).toBeProblem('state_conflict', { operation_id: operationOf(stale) });
  });

  it('for connectors need an activated connector', async () => {
    expect(await create({ type: 'connectors:reconfigure' })).toBeProblem('state_conflict', { state: 'inactive' });
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it.each([
    ['no type', {}, '/type'],
    ['an unknown type', { type: 'broker:restart' }, '/type'],
    ['an unknown member', { ...RECONFIGURE, config_id: 1 }, '/config_id'],
  ])('are refused with %s', async (_, body, field) => {
    const answer = await create(body);

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues).toMatchObject([{ path: field }]);
    expect(await list()).toEqual([]);
  });

  it('need their own permission', async () => {
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect((await cloud.runtime(key).get(path)).status).toBe(200);
    expect(await cloud.runtime(key).post(path, RECONFIGURE)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:task:manage',
    });
    expect(await list()).toEqual([]);
  });

  it('of another organization are not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(`${foreign.path}/tasks`),
      await cloud.runtime().post(`${foreign.path}/tasks`, RECONFIGURE),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await cloud.operations(foreign.deploymentId)).toEqual([]);
  });
});
