import type { DeploymentId, NodeId } from '@libs/domain';
import { CredentialsRepository, NodesRepository } from '@libs/persistence/runtime';
import { given } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

describe('A deployment', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let path: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open({ BASE_DOMAIN: 'brokers.test' });
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    ({ deploymentId, nodeId, path } = await cloud.deployment());
  });

  const get = (suffix = '', key?: string) => cloud.runtime(key).get(`${path}${suffix}`);
  const password = async (): Promise<string> => {
    const credentials = await cloud.asSupervisor((database, secrets) =>
      new CredentialsRepository(database, secrets).find(deploymentId),
    );
    return credentials?.password ?? '';
  };

  const memo = async (operation: string | number | null) =>
    (await cloud.rows<{ memo: object }>('select memo from operations where id = $1', [operation]))[0]?.memo;

  it('shows its network, its configurations and its nodes, without any secret', async () => {
    const { status, body } = await get();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ id: deploymentId, variant: 'managed', cloud: 'aws', region: 'us-east-1', status: 'initialized' },
      ...{ domain: `${body.code}.us-east-1.aws.brokers.test`, status_reason: null, cidr: null },
      configs: [{ kind: 'broker', name: 'broker', version: 1, primary: true, runtime_outdated: false }],
      nodes: [{ id: nodeId, name: 'node-1', role: 'leader', driver: 'embedded', replication: 'none', zone: 'zone-a' }],
      aws: { network_id: null, subnet_ids: [], account_id: 'local' },
    });
    expect(body).not.toHaveProperty('gcp');
    expect(JSON.stringify(body)).not.toContain(await password());
    expect(JSON.stringify(body)).not.toContain((await cloud.document(nodeId)).spec.credentials.username);
  });

  it('says what the broker does, and that no client may connect until a rule is in force', async () => {
    expect((await get()).body).toMatchObject({
      clients: 'none_allowed',
      protocols: {
        ...{ mqtt: ['3.1', '3.1.1'], qos: [0, 1, 2], shared_subscriptions: false, iggy: null },
        refused_topics: { contains: [], begins_with: ['$SYS/'] },
      },
    });

    const rule = { cidr_blocks: ['127.0.0.0/8'], rules: { broker_tcp: true } };
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { status } = await cloud.runtime().post(`${path}/access_rules`, { ...rule, name: 'office', valid_to: soon });
    expect(status).toBe(201);
    expect((await get()).body.clients).toBeNull();

    await cloud.rows("update access_rules set valid_to = now() - interval '1 second' where deployment_id = $1", [
      deploymentId,
    ]);
    expect((await get()).body.clients).toBe('none_allowed');
  });

  it('shows the newest report of each node', async () => {
    const report = {
      ...{ nodeId, status: 'running' as const, reason: null, agentVersion: '9.9.9', gauges: {} },
      ...{ observed: { timeline: 1, generation: 1, hash: 'h' } },
      runtimes: [
        {
          ...{ runtime: 'broker' as const, status: 'running' as const, version: '1', pid: 7, restarts: 3 },
          ...{ started_at: '2026-11-22T00:00:00.000Z', last_error: 'an old error' },
        },
      ],
    };
    await cloud.asSupervisor((database) => new NodesRepository(database).recordStatuses([report]));

    const [node] = (await get()).body.nodes;

    expect(node).toMatchObject({ status: 'running', agent: { version: '9.9.9' } });
    expect(node.agent.last_heartbeat_at).toMatch(/Z$/);
    expect(node.runtimes).toEqual([
      { runtime: 'broker', status: 'running', version: '1', started_at: '2026-11-22T00:00:00.000Z', pid: 7 },
    ]);
  });

  it('says when a node last reported, once its report is late', async () => {
    const reportOf = async (seconds: number) => {
      const [row] = await cloud.rows<{ at: Date }>(
        `update nodes set last_seen_at = now() - make_interval(secs => $2) where id = $1 returning last_seen_at as at`,
        [nodeId, seconds],
      );
      return row?.at.toISOString();
    };
    expect((await get()).body).toMatchObject({ last_report_at: null });

    await reportOf(5);
    expect((await get()).body).toMatchObject({ last_report_at: null });

    const last = await reportOf(20);
    expect((await get()).body).toMatchObject({ last_report_at: last });
  });

  it('shows no endpoint for a port that the configuration of the node closes', async () => {
    for (const [index, purpose] of ['tcp', 'http', 'websocket'].entries())
      await cloud.rows('insert into node_ports (address, port, node_id, purpose) values ($1, $2, $3, $4)', [
        ...['127.0.0.1', 9_000 + 10 * Number(nodeId) + index, nodeId, purpose],
      ]);
    const endpoints = async () => (await get()).body.nodes[0].endpoints;
    const at = (index: number) => `127.0.0.1:${9_000 + 10 * Number(nodeId) + index}`;
    const open = { tcp: at(0), http: at(1), websocket: at(2), udp: null };
    const values = { http: { enabled: false }, websocket: { enabled: false } };

    expect(await endpoints()).toEqual(open);
    const { body: saved } = await cloud.runtime().post(`${path}/configs/broker`, { values });
    expect(await endpoints()).toEqual(open);
    await cloud.rows('update nodes set config_id = $2 where id = $1', [nodeId, saved.id]);

    expect(await endpoints()).toEqual({ ...open, http: null, websocket: null });
  });

  it('shows its credentials only to keys with the permission to read them', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });
    const { username } = (await cloud.document(nodeId)).spec.credentials;

    expect((await get('/credentials')).body).toEqual({ username, password: await password(), previous_until: null });
    const refused = await get('/credentials', reader);
    expect((await get('', reader)).status).toBe(200);
    expect(refused).toBeProblem('insufficient_permissions', { permission: 'deployment:credentials:read' });
    expect(JSON.stringify(refused.body)).not.toContain(await password());
    expect(cloud.log()).not.toContain(await password());
  });

  it('accepts a replacement of its credentials, and shows the old ones until the operation ends', async () => {
    const before = (await get('/credentials')).body;

    const accepted = await cloud.runtime().post(`${path}/credentials/rotate`);

    const operation = Number(accepted.headers.get('ld-operation'));
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ deployment_id: deploymentId, operation_id: operation });
    expect(await cloud.operations(deploymentId)).toMatchObject([
      { id: operation, type: 'rotate_credentials', status: 'pending' },
    ]);
    expect(await memo(operation)).toEqual({ overlap_seconds: 300 });
    expect((await get('/credentials')).body).toEqual(before);
    expect(await cloud.audit(deploymentId)).toEqual([
      { type: 'deployment_secrets_rotated', data: { overlap_seconds: 300 } },
    ]);
    expect(await cloud.runtime().post(`${path}/credentials/rotate`)).toBeProblem('state_conflict', {
      operation_id: operation,
    });
  });

  it.each([0, 1, 3_600])('accepts a replacement of its credentials with an overlap of %i seconds', async (seconds) => {
    const accepted = await cloud.runtime().post(`${path}/credentials/rotate`, { overlap_seconds: seconds });

    expect(accepted.status).toBe(202);
    expect(await memo(accepted.headers.get('ld-operation'))).toEqual({ overlap_seconds: seconds });
    expect(await cloud.audit(deploymentId)).toMatchObject([{ data: { overlap_seconds: seconds } }]);
  });

  it.each([3_601, -1, '1', 1.5, null, true, {}])(
    'refuses a replacement of its credentials with the overlap %j',
    async (overlap_seconds) => {
      const refused = await cloud.runtime().post(`${path}/credentials/rotate`, { overlap_seconds });

      expect(refused).toBeProblem('validation_failed', { status: 400 });
      expect(refused.body.field_issues).toMatchObject([{ path: '/overlap_seconds' }]);
      expect(await cloud.operations(deploymentId)).toEqual([]);
      expect(await cloud.audit(deploymentId)).toEqual([]);
    },
  );

  it('refuses a replacement of its credentials with an unknown member', async () => {
    const refused = await cloud.runtime().post(`${path}/credentials/rotate`, { password: 'mine' });

    expect(refused).toBeProblem('validation_failed', { status: 400 });
  });

  it('shows the end of its previous password, until that time, and never the password', async () => {
    const end = async (when: string) => {
      const [row] = await cloud.rows<{ at: Date }>(
        `update deployment_credentials set previous_password = 'sealed-old', previous_until = now() + $2::interval
          where deployment_id = $1 returning previous_until as at`,
        [deploymentId, when],
      );
      return row?.at.toISOString();
    };

    const at = await end('5 minutes');
    const answer = await get('/credentials');
    expect(answer.body).toMatchObject({ previous_until: at });
    expect(JSON.stringify(answer.body)).not.toContain('sealed-old');
    await end('-1 second');
    expect((await get('/credentials')).body).toMatchObject({ previous_until: null });
  });

  it('refuses a replacement of its credentials without the permission, and while it does not serve', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:credentials:read'] } });
    const rotate = (key?: string) => cloud.runtime(key).post(`${path}/credentials/rotate`);

    expect(await rotate(reader)).toBeProblem('insufficient_permissions', { permission: 'deployment:manage' });
    await cloud.rows(`update deployment_runtimes set status = 'stopped' where deployment_id = $1`, [deploymentId]);
    expect(await rotate()).toBeProblem('state_conflict', { state: 'stopped' });
    expect(await cloud.operations(deploymentId)).toEqual([]);
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it.each(['0', 'x', '99999999'])('is not found by the id %s', async (id) => {
    expect(await cloud.runtime().get(`/deployments/${id}`)).toBeProblem('deployment_not_found', { status: 404 });
  });

  it('of another organization is not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(foreign.path),
      await cloud.runtime().get(`${foreign.path}/credentials`),
      await cloud.runtime().post(`${foreign.path}/credentials/rotate`),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await cloud.operations(foreign.deploymentId)).toEqual([]);
  });
});
