import type { ConnectorInstanceId, DeadLetterRequest, DeploymentId, NodeId } from '@libs/domain';
import { ConnectorInitialRowsRepository, NodeRequestsRepository } from '@libs/persistence/runtime';
import { eventually, given } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const LETTER = {
  ...{ id: 5, message_id: 'm-1', topic: 'demo/numbers', error: 'the payload is not JSON', attempts: 2 },
  ...{ failed_at: '2026-11-23T10:00:00.000Z', payload: 'bm8ganNvbg==', payload_bytes: 7, is_truncated: false },
};

describe('Dead letters', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let instanceId: ConnectorInstanceId;
  let path: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId, nodeId } = deployment);
    const { id } = await cloud.asSupervisor((database, secrets) =>
      new ConnectorInitialRowsRepository(database, secrets).insert(deploymentId, {
        ...{ type: 'sink', plugin: 'http', pluginVersion: '1.1.0', key: 'hook', name: 'Hook', authorId: null },
        values: { enabled: true },
      }),
    );
    instanceId = id;
    await cloud.rows('update nodes set last_seen_at = now() where id = $1', [nodeId]);
    path = `${deployment.path}/connectors/instances/${id}/dead_letters`;
  });

  /** Answers the next request as the node. Returns the request. */
  const answer = async (result: object | string): Promise<DeadLetterRequest> => {
    let request: { id: number; body: DeadLetterRequest } | undefined;
    await eventually('the request', async () => {
      [request] = await cloud.asSupervisor((database) => new NodeRequestsRepository(database).listOpen(nodeId));
      return request !== undefined;
    });
    const isRefusal = typeof result === 'string';
    const outcome = { answer: isRefusal ? null : JSON.stringify(result), error: isRefusal ? result : null };
    await cloud.asSupervisor((database) =>
      new NodeRequestsRepository(database).answer(request?.id ?? 0, nodeId, outcome),
    );
    return request?.body as DeadLetterRequest;
  };
  const open = () => cloud.rows('select id from node_requests');

  it('are listed as the node answers, and leave nothing in the database', async () => {
    const page = { items: [LETTER], total: 41, dropped: 3 };
    const [answered, request] = await Promise.all([cloud.runtime().get(`${path}?page=3&results=20`), answer({ page })]);

    expect(request).toEqual({ instance_id: instanceId, action: 'list', page: 3, results: 20 });
    expect([answered.status, answered.body]).toEqual([
      200,
      { items: [LETTER], page: 3, total_results: 41, total_pages: 3 },
    ]);
    expect(await open()).toEqual([]);
  });

  it('are replayed, all or some, with an audit entry', async () => {
    const [all, body] = await Promise.all([cloud.runtime().post(`${path}/replay`), answer({ count: 2 })]);
    expect([all.status, all.body, body]).toEqual([
      ...[200, { count: 2 }],
      { instance_id: instanceId, action: 'replay', ids: null },
    ]);
    const [, some] = await Promise.all([cloud.runtime().post(`${path}/replay`, { ids: [5] }), answer({ count: 1 })]);
    expect(some).toMatchObject({ action: 'replay', ids: [5] });

    const data = { connector_type: 'sink', connector_key: 'http', instance_key: 'hook', instance_id: instanceId };
    expect(await cloud.audit(deploymentId)).toEqual([
      { type: 'dead_letters_replayed', data: { ...data, version: '1.1.0', letters: 2 } },
      { type: 'dead_letters_replayed', data: { ...data, version: '1.1.0', letters: 1 } },
    ]);
  });

  it('are deleted with an audit entry', async () => {
    const [deleted, body] = await Promise.all([cloud.runtime().delete(path), answer({ count: 2 })]);
    expect([deleted.status, body]).toEqual([204, { instance_id: instanceId, action: 'delete', ids: null }]);
    expect(await cloud.audit(deploymentId)).toMatchObject([{ type: 'dead_letters_deleted', data: { letters: 2 } }]);
  });

  it('say why the node refuses, and change nothing then', async () => {
    const [refused] = await Promise.all([cloud.runtime().post(`${path}/replay`), answer('the connector does not run')]);
    expect(refused).toBeProblem('state_conflict', { state: 'refused' });
    expect(refused.body.detail).toContain('the connector does not run');
    const [stopped] = await Promise.all([cloud.runtime().get(path), answer({ stopped: true })]);
    expect(stopped).toBeProblem('state_conflict', { state: 'stopped' });
    const [odd] = await Promise.all([cloud.runtime().get(path), answer({ page: { items: [{ id: 'x' }] } })]);
    expect(odd).toBeProblem('node_not_responding');
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it('are not available while the node does not report', async () => {
    await cloud.rows(`update nodes set last_seen_at = now() - interval '1 hour' where id = $1`, [nodeId]);
    expect(await cloud.runtime().get(path)).toBeProblem('node_not_responding', { status: 503 });
    expect(await open()).toEqual([]);
  });

  it('need the permissions of connectors, an instance of the deployment, and valid ids', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:connector:read'] } });
    const outsider = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect(await cloud.runtime(outsider).get(path)).toBeProblem('insufficient_permissions');
    for (const attempt of [cloud.runtime(reader).post(`${path}/replay`), cloud.runtime(reader).delete(path)])
      expect(await attempt).toBeProblem('insufficient_permissions', { permission: 'deployment:connector:manage' });
    const missing = path.replace(`instances/${instanceId}/`, 'instances/999999/');
    expect(await cloud.runtime().get(missing)).toBeProblem('connector_instance_not_found');
    expect(await cloud.runtime().post(`${path}/replay`, { ids: ['x'] })).toBeProblem('validation_failed');
    expect(await open()).toEqual([]);
  });

  it('of another organization are not found', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    expect(await cloud.runtime().get(`${foreign.path}/connectors/instances/${instanceId}/dead_letters`)).toBeProblem(
      'deployment_not_found',
    );
  });
});
