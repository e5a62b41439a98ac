import { createConnection } from 'node:net';
import { eventually, killNodeProcesses, TestCloud, TestDeployment } from '@libs/testing';
import mqtt from 'mqtt';

describe('An embedded cluster of three nodes', () => {
  let cloud: TestCloud;
  let made: TestDeployment;
  let deployment: number;
  let endpoints: string[];
  let login: { username: string; password: string };

  beforeAll(async () => {
    cloud = await TestCloud.start();
    made = await TestDeployment.paid(cloud, { cloud: 'gcp', region: 'us-central1' });
    deployment = made.id;
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
    endpoints = body.nodes.map((node: { endpoints: { tcp: string } }) => node.endpoints.tcp);
    login = await made.login();
  });
  afterAll(() => cloud.stop());

  it('has a leader and followers, and reports that it does not replicate', async () => {
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);

    expect(body.nodes.map(({ role }: { role: string }) => role)).toEqual(['leader', 'follower', 'follower']);
    expect(new Set(body.nodes.map(({ replication }: { replication: string }) => replication))).toEqual(
      new Set(['none']),
    );
    expect(body.gcp).toMatchObject({ network_id: expect.any(String) });
  });

  it('reports the addresses of its nodes', async () => {
    const { body } = await cloud.runtime().get(`${made.live}/network/info`);
    const { nodes } = (await cloud.runtime().get(made.live)).body;
    const at = (address: string): number => Number(address.split(':').at(-1));

    expect(body).toMatchObject({
      network_mode: 'public',
      cidr: expect.stringMatching(/^10\.\d+\.\d+\.0\/24$/),
      network_id: expect.any(String),
      subnets: ['a', 'b', 'c'].map((zone) => expect.stringMatching(`us-central1-${zone}$`)),
      domain: (await cloud.main().get(made.path)).body.domain,
      load_balancer: expect.any(String),
      ports: { tcp: at(nodes[0].endpoints.tcp), http: at(nodes[0].endpoints.http), udp: null },
    });
    expect(body.nodes).toEqual(
      nodes.map(({ id, private_ip, public_ip }: Record<string, unknown>) => ({ node_id: id, private_ip, public_ip })),
    );
  });

  it('sends no byte to a client before an access rule allows the client', async () => {
    for (const endpoint of endpoints) expect(await firstByteFrom(endpoint)).toBeNull();
  });

  it('delivers a message from node 1 to a client of node 3, once a rule allows both clients', async () => {
    await made.permit();
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

  it('keeps clients connected, and keeps its ports, through a kill -9 of the supervisor', async () => {
    const client = await eventually('a client is in', () => connect(endpoints[0] ?? '', login));
    const closed = countedCall();
    client.on('close', closed);

    await cloud.supervisor.kill();
    await cloud.supervisor.start();
    await client.publishAsync('orders/2', 'still here', { qos: 1 });
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);

    expect(closed.calls()).toBe(0);
    expect(body.nodes.map((node: { endpoints: { tcp: string } }) => node.endpoints.tcp)).toEqual(endpoints);
    await client.endAsync(true);
  });

  it('meters the traffic of a client once, although two nodes carried it', async () => {
    const client = await eventually('a client is in', () => connect(endpoints[2] ?? '', login));
    await client.publishAsync('load', 'x'.repeat(300_000), { qos: 1 });
    await client.endAsync(true);
    // The first report after a start is written at once, and the cleanup of telemetry also runs at once.
    const [ended] = await cloud.rows<{ at: Date }>('select now() as at');
    await restart();
    await eventually('each node has told its bytes', async () => (await reportedSince(ended?.at)) === 3);
    await cloud.rows(
      `update node_metrics set minute = minute - interval '3 hours' where deployment_id = $1
          and minute >= now() - interval '1 hour'`,
      [deployment],
    );
    await cloud.rows(`update telemetry_rollup set rolled_up_to = date_trunc('hour', now()) - interval '5 hours'`);
    await restart();

    const metered = await eventually('it is metered', async () => {
      const [row] = await cloud.rows<{ bytes: string | null; price: string }>(
        'select sum(bytes) as bytes, max(usd_per_gb) as price from metering_transfers where deployment_id = $1',
        [deployment],
      );
      return row && Number(row.bytes) >= 300_000 ? row : null;
    });
    expect(Number(metered.bytes)).toBeLessThan(330_000);
    expect(metered.price).toBe('0.010000');
  });

  it('restarts completely, with the same ports and data, after a kill of all its node processes', async () => {
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

  const restart = async (): Promise<void> => {
    await cloud.supervisor.kill();
    await cloud.supervisor.start();
  };
  const reportedSince = async (at: Date | undefined): Promise<number> => {
    const [row] = await cloud.rows<{ nodes: string }>(
      'select count(distinct node_id) as nodes from node_heartbeats where deployment_id = $1 and last_at > $2',
      [deployment, at],
    );
    return Number(row?.nodes);
  };
});

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

function countedCall(): (() => void) & { calls(): number } {
  let count = 0;
  return Object.assign(() => void (count += 1), { calls: () => count });
}
