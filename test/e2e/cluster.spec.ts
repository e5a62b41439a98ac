import { createConnection } from 'node:net';
import { AccessRulesRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { eventually, killNodeProcesses, TestCloud } from '@libs/testing';
import mqtt from 'mqtt';

describe('An embedded cluster of three nodes', () => {
  let cloud: TestCloud;
  let deployment: number;
  let endpoints: string[];
  let login: { username: string; password: string };

  beforeAll(async () => {
    cloud = await TestCloud.start();
    const order = {
      name: 'c',
      cloud: 'gcp',
      region: 'us-central1',
      tier: 'small',
      cluster: 'cluster',
      managed_tier: 'standard',
    };
    const accepted = await cloud.main().post(`${cloud.environment}/deployments/managed`, order);
    deployment = Number(accepted.headers.get('ld-deployment'));
    const operation = await cloud
      .main()
      .get(`${cloud.tenant}/operations/${accepted.headers.get('ld-operation')}?wait=60`);
    expect(operation.body).toMatchObject({ status: 'succeeded' });
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
    endpoints = body.nodes.map((node: { endpoints: { tcp: string } }) => node.endpoints.tcp);
    login = (await cloud.runtime().get(`/deployments/${deployment}/credentials`)).body;
  });
  afterAll(() => cloud.stop());

  it('has a leader and followers, and says that it does not replicate', async () => {
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);

    expect(body.nodes.map(({ role }: { role: string }) => role)).toEqual(['leader', 'follower', 'follower']);
    expect(new Set(body.nodes.map(({ replication }: { replication: string }) => replication))).toEqual(
      new Set(['none']),
    );
    expect(body.gcp).toMatchObject({ network_id: expect.any(String) });
  });

  it('lets nobody in while no access rule does: not a byte is answered', async () => {
    for (const endpoint of endpoints) expect(await firstByteFrom(endpoint)).toBeNull();
  });

  it('carries what is published on node 1 to a client of node 3, once a rule lets them in', async () => {
    await permit(cloud, deployment);
    const publisher = await eventually('node 1 lets us in', () => connect(endpoints[0] ?? '', login));
    const subscriber = await eventually('node 3 lets us in', () => connect(endpoints[2] ?? '', login));
    const received = new Promise<string>((resolve) =>
      subscriber.once('message', (_, payload) => resolve(payload.toString())),
    );
    await subscriber.subscribeAsync('orders/#', { qos: 1 });

    await publisher.publishAsync('orders/1', 'three coffees', { qos: 1 });

    expect(await received).toBe('three coffees');
    await Promise.all([publisher.endAsync(true), subscriber.endAsync(true)]);
  });

  it('keeps clients connected, and its ports, through a kill -9 of the supervisor', async () => {
    const client = await eventually('a client is in', () => connect(endpoints[0] ?? '', login));
    const closed = jestFn();
    client.on('close', closed);

    await cloud.supervisor.kill();
    await cloud.supervisor.start();
    await client.publishAsync('orders/2', 'still here', { qos: 1 });
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);

    expect(closed.calls()).toBe(0);
    expect(body.nodes.map((node: { endpoints: { tcp: string } }) => node.endpoints.tcp)).toEqual(endpoints);
    await client.endAsync(true);
  });

  it('comes back whole, on the same ports with the same data, after every process of its nodes was killed', async () => {
    const before = await eventually('a client is in', () => connect(endpoints[0] ?? '', login));
    await before.publishAsync('kept/1', 'remember me', { qos: 1, retain: true });
    await before.endAsync(true);
    await cloud.supervisor.stop();
    await killNodeProcesses(cloud.installation.installation);

    await cloud.supervisor.start();
    const client = await eventually('node 3 lets us in again', () => connect(endpoints[2] ?? '', login), 60_000);
    const received = new Promise<string>((resolve) =>
      client.once('message', (_, payload) => resolve(payload.toString())),
    );
    await client.subscribeAsync('kept/#', { qos: 1 });

    expect(await received).toBe('remember me');
    await client.endAsync(true);
  });
});

/** Opens the deployment to the loopback, the way an access rule will: rows, then a document for each node. */
async function permit(cloud: TestCloud, deployment: number): Promise<void> {
  await cloud.asSupervisor(async (database, secrets) => {
    const rules = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
    const rule = { name: 'here', remarks: null, cidr_blocks: ['127.0.0.0/8'], rules, valid_to: null };
    await cloud.rows(`insert into access_rules (deployment_id, name, cidr_blocks, rules) values ($1, $2, $3, $4)`, [
      deployment,
      rule.name,
      rule.cidr_blocks,
      JSON.stringify(rules),
    ]);
    expect(await new AccessRulesRepository(database).list(deployment)).toHaveLength(1);
    const documents = new NodeDocumentsRepository(database, secrets);
    for (const { id } of await new NodesRepository(database).list(deployment))
      expect(await documents.publish(id, '0'.repeat(32))).toBe(true);
  });
}

async function connect(endpoint: string, login: object): Promise<mqtt.MqttClient | null> {
  return mqtt
    .connectAsync(`mqtt://${endpoint}`, { ...login, reconnectPeriod: 0, connectTimeout: 2000 })
    .catch(() => null);
}

async function firstByteFrom(endpoint: string): Promise<Buffer | null> {
  const [host = '', port = ''] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port) }, () =>
      socket.write('\x10\x0c\0\x04MQTT\x04\x02\0\x3c\0\0'),
    );
    socket.once('data', resolve);
    socket.once('error', () => resolve(null));
    socket.once('close', () => resolve(null));
  });
}

function jestFn(): (() => void) & { calls(): number } {
  let count = 0;
  return Object.assign(() => void (count += 1), { calls: () => count });
}
