import type { DeploymentId, NodeId } from '@libs/domain';
import { ConnectorInitialRowsRepository, ConnectorInstancesRepository } from '@libs/persistence/runtime';
import { given } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const SECRET = 'Bearer of-the-service';

describe('Connectors', () => {
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
    path = `${deployment.path}/connectors/instances`;
  });

  /** Activates a connector as the main API does, without the operation. */
  const activate = (key: string, of: DeploymentId = deploymentId) =>
    cloud.asSupervisor((database, secrets) =>
      new ConnectorInitialRowsRepository(database, secrets).insert(of, {
        ...{ type: 'sink', plugin: 'http', pluginVersion: '1.0.0', key, name: 'Hook', authorId: null },
        values: { enabled: true, plugin_config: { headers: { authorization: SECRET } } },
      }),
    );
  const list = async () => (await cloud.runtime().get(path)).body;
  const configs = () =>
    cloud.rows<{ name: string }>(`select name from configs where deployment_id = $1 and kind <> 'broker' order by id`, [
      deploymentId,
    ]);

  it('are listed in the order of their activation, without the secrets of their configurations', async () => {
    const [first, second] = [await activate('first'), await activate('second')];

    const body = await list();

    expect(body).toEqual([
      {
        ...{ id: first.id, deployment_id: deploymentId, connector_type: 'sink', connector_key: 'http', name: 'Hook' },
        ...{ key: 'first', status: 'pending', status_reason: null, status_since: expect.stringMatching(/Z$/) },
        ...{ version: '1.0.0', config_id: first.config_id, metrics: null, created_at: expect.stringMatching(/Z$/) },
      },
      expect.objectContaining({ id: second.id, key: 'second' }),
    ]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('show what the node reports that they have moved', async () => {
    const { id } = await activate('hook');
    const counts = { moved: 7, failed: 2, lag: 1, dead_letters: 2, dead_letters_dropped: 0, last_error: 'no JSON' };
    await cloud.rows('update nodes set connector_counts = $2 where id = $1', [
      nodeId,
      JSON.stringify([{ instance_id: id, ...counts, other: 'member' }]),
    ]);

    expect(await list()).toMatchObject([{ id, metrics: counts }]);
    expect((await list())[0].metrics).not.toHaveProperty('other');
  });

  it('show the error that the node reports', async () => {
    const { id, config_id } = await activate('hook');
    const report = { node_id: nodeId, instance_id: id, config_id, status: 'failed' as const, error: 'unknown host' };
    await cloud.asSupervisor((database) => new ConnectorInstancesRepository(database).record([report]));

    expect(await list()).toMatchObject([{ status: 'failed', status_reason: 'unknown host' }]);
  });

  it('are removed from the node with their configurations when they are deleted', async () => {
    const [gone, other] = [await activate('gone'), await activate('kept')];

    expect((await cloud.runtime().delete(`${path}/${gone.id}`)).status).toBe(204);

    expect(await list()).toEqual([expect.objectContaining({ id: other.id })]);
    expect(await configs()).toEqual([{ name: 'kept' }]);
    const { spec } = await cloud.document(nodeId);
    expect(spec.connectors?.instances).toEqual([expect.objectContaining({ instance_id: other.id })]);
    expect(await cloud.audit(deploymentId)).toEqual([
      {
        type: 'connector_deleted',
        data: {
          ...{ connector_type: 'sink', connector_key: 'http', instance_key: 'gone', instance_id: gone.id },
          version: '1.0.0',
        },
      },
    ]);
  });

  it('are deleted only with an id of the same deployment', async () => {
    const other = await cloud.deployment();
    const elsewhere = await activate('elsewhere', other.deploymentId);

    expect(await cloud.runtime().delete(`${path}/${elsewhere.id}`)).toBeProblem('connector_instance_not_found');
    expect(await cloud.runtime().delete(`${path}/x`)).toBeProblem('connector_instance_not_found');

    const { body } = await cloud.runtime().get(`${other.path}/connectors/instances`);
    expect(body).toHaveLength(1);
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it('stay while the deployment is being deleted', async () => {
    const { id } = await activate('hook');
    await cloud.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [deploymentId]);

    expect(await cloud.runtime().delete(`${path}/${id}`)).toBeProblem('state_conflict', { state: 'deleting' });
    expect(await configs()).toHaveLength(1);
  });

  it('need the permission to read them, and the permission to manage them', async () => {
    const { id } = await activate('hook');
    const key = await given.key(cloud, { permissions: { environment: ['deployment:connector:read'] } });
    const stranger = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect((await cloud.runtime(key).get(path)).status).toBe(200);
    expect(await cloud.runtime(key).delete(`${path}/${id}`)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:connector:manage',
    });
    expect(await cloud.runtime(stranger).get(path)).toBeProblem('insufficient_permissions');
    expect(await list()).toHaveLength(1);
  });

  it('of another organization are not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const { id } = await activate('their-hook', foreign.deploymentId);
    const answers = [
      await cloud.runtime().get(`${foreign.path}/connectors/instances`),
      await cloud.runtime().delete(`${foreign.path}/connectors/instances/${id}`),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toMatch(/their-/);
    }
    expect(await cloud.rows('select key from connector_instances where id = $1', [id])).toEqual([
      { key: 'their-hook' },
    ]);
  });
});
