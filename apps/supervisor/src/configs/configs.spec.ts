import type { DeploymentId, NodeId } from '@libs/domain';
import { ConnectorInitialRowsRepository } from '@libs/persistence/runtime';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const SECRET = 'Bearer of-the-service';
const MASK = '********';
const VALUES = { mqtt: { max_connections: 500 } };

describe('Configurations', () => {
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
    path = `${deployment.path}/configs`;
  });

  const save = (body: object = { values: VALUES }, kind = 'broker', key?: string): Promise<ApiAnswer> =>
    cloud.runtime(key).post(`${path}/${kind}`, body);
  const get = (suffix: string) => cloud.runtime().get(`${path}/${suffix}`);
  const types = async () => (await cloud.audit(deploymentId)).map(({ type }) => type);
  /** Activates a connector as the main API does, without the operation. */
  const connector = () =>
    cloud.asSupervisor((database, secrets) =>
      new ConnectorInitialRowsRepository(database, secrets).insert(deploymentId, {
        ...{ type: 'sink', plugin: 'http', pluginVersion: '1.0.0', key: 'hook', name: 'Hook', authorId: null },
        values: { enabled: false, streams: [], plugin_config: {}, transforms: {} },
      }),
    );

  it('are validated without being saved', async () => {
    const preview = (values: object) => cloud.runtime().post(`${path}/broker/preview`, { values });
    const before = (await get('broker')).body;

    const { status, body } = await preview(VALUES);

    expect(status).toBe(200);
    expect(body.changes).not.toEqual([]);
    expect(body.restart_required).toBe(body.changes.some((change: any) => change.restart_required));
    expect((await preview(before[0].values)).body).toEqual({ changes: [], restart_required: false });
    expect(await preview({ mqtt: { max_connections: -1, no_such: 1 } })).toBeProblem('validation_failed', {
      field_issues: [
        expect.objectContaining({ path: '/values/mqtt/max_connections' }),
        expect.objectContaining({ path: '/values/mqtt/no_such' }),
      ],
    });
    expect((await get('broker')).body).toEqual(before);
    expect(await cloud.audit(deploymentId)).toEqual([]);
  });

  it('are saved as the next version, which changes no node until it is applied', async () => {
    const before = await cloud.document(nodeId);

    const saved = await save({ values: VALUES, activate: true });

    expect(saved.status).toBe(201);
    expect(saved.headers.get('location')).toBe(`${path}/broker/${saved.body.id}`);
    expect(saved.body).toMatchObject({ kind: 'broker', name: 'broker', version: 2, primary: true, values: VALUES });
    expect((await get('broker/primary')).body).toEqual(saved.body);
    expect(await cloud.document(nodeId)).toEqual(before);
    expect(await cloud.operations(deploymentId)).toEqual([]);
    const data = { config_id: saved.body.id, kind: 'broker', name: 'broker', version: 2 };
    expect(await cloud.audit(deploymentId)).toEqual([
      { type: 'config_created', data },
      { type: 'config_activated', data },
    ]);
  });

  it('are activated once, and are deleted only when they are neither active nor applied', async () => {
    const first = (await get('broker/primary')).body.id;
    const { body } = await save();
    const activate = () => cloud.runtime().put(`${path}/broker/broker/activate/2`);

    expect(await cloud.runtime().delete(`${path}/broker/${first}`)).toBeProblem('primary_config_undeletable');
    expect([(await activate()).status, (await activate()).status]).toEqual([204, 204]);
    expect(await cloud.runtime().delete(`${path}/broker/${first}`)).toBeProblem('state_conflict', {
      ...{ state: 'applied', nodes: [nodeId] },
    });
    await cloud.runtime().put(`${path}/broker/broker/activate/1`);
    expect((await cloud.runtime().delete(`${path}/broker/${body.id}`)).status).toBe(204);
    expect(await get(`broker/${body.id}`)).toBeProblem('config_not_found');
    expect(await types()).toEqual(['config_created', 'config_activated', 'config_activated', 'config_deleted']);
  });

  it('show the differences between two versions', async () => {
    await save();

    const { body } = await get('broker/broker/versions/2/diff');

    expect(body.changes).toEqual([
      { key: 'mqtt.max_connections', from: 1_000, to: 500, secret: false, restart_required: true },
    ]);
  });

  it('of a connector never show a secret, and their activation starts an operation', async () => {
    const { config_id } = await connector();
    const values = { enabled: true, streams: [{ stream: 'orders', topics: ['new'] }] };
    const config = (authorization: string) => ({ url: 'https://service.example/hook', headers: { authorization } });
    const body = { name: 'hook', values: { ...values, plugin_config: config(SECRET) }, activate: true };

    const saved = await save(body, 'connector:sink:http');

    expect(saved.body.values.plugin_config).toEqual(config(MASK));
    expect(await cloud.operations(deploymentId)).toMatchObject([
      { id: Number(saved.headers.get('ld-operation')), type: 'run_connectors', status: 'pending' },
    ]);
    const stored = await cloud.rows('select config_values from configs where deployment_id = $1', [deploymentId]);
    const reads = [
      await get('connector:sink:http/primary'),
      await get('connector:sink:http/hook/versions'),
      await get('connector:sink:http/schema'),
    ].map(({ body }) => body);
    expect(JSON.stringify([reads, stored, await cloud.audit(deploymentId), cloud.log()])).not.toContain(SECRET);
    expect(saved.body.id).not.toBe(config_id);
  });

  it.each([
    ['no values', {}, 'broker', ['/values']],
    [
      'unknown and invalid keys',
      { values: { mqtt: { max_connections: 0, x: 1 } } },
      'broker',
      ['/values/mqtt/max_connections', '/values/mqtt/x'],
    ],
    ['a name with a slash', { values: {}, name: 'a/b' }, 'broker', ['/name']],
    ['no instance of the connector', { values: {} }, 'connector:sink:http', ['/name']],
  ])('are refused with %s', async (_, body, kind, fields) => {
    const answer = await save(body, kind);

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path: at }: { path: string }) => at)).toEqual(fields);
    expect((await get('broker')).body).toHaveLength(1);
    expect(await types()).toEqual([]);
  });

  it('of an unknown connector are not found', async () => {
    expect(await get('connector:sink:fax/schema')).toBeProblem('connector_not_found');
    expect(await save({ name: 'hook', values: {} }, 'connector:sink:http')).toBeProblem('connector_instance_not_found');
  });

  it('need the permission to read them, and the permission to manage them', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:config:read'] } });
    const stranger = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect((await cloud.runtime(reader).get(`${path}/broker`)).status).toBe(200);
    expect(await save({ values: VALUES }, 'broker', reader)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:config:manage',
    });
    expect(await cloud.runtime(stranger).get(`${path}/broker`)).toBeProblem('insufficient_permissions');
    expect((await get('broker')).body).toHaveLength(1);
  });

  it('of another organization are not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const [config] = await cloud.rows<{ id: string }>('select id from configs where deployment_id = $1', [
      foreign.deploymentId,
    ]);
    const theirs = `${foreign.path}/configs/broker`;
    const answers = [
      await cloud.runtime().get(theirs),
      await cloud.runtime().get(`${theirs}/${config?.id}`),
      await cloud.runtime().post(theirs, { values: {} }),
      await cloud.runtime().delete(`${theirs}/${config?.id}`),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await get(`broker/${config?.id}`)).toBeProblem('config_not_found');
  });
});
