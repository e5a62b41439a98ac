import { readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describeWithNats, eventually, NATS_SERVER, TestCloud } from '@libs/testing';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';

interface Login {
  username: string;
  password: string;
}

interface NodeOfView {
  id: number;
  endpoints: { tcp: string; http: string; websocket: string; udp: null };
  runtimes: { pid: number; version: string }[];
}

describeWithNats('A cloud whose broker is nats', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' } });
  });
  afterAll(() => cloud.stop());

  it('serves MQTT clients, keeps sessions and clients when a process dies, and leaves nothing behind', async () => {
    const path = `${cloud.division}/deployments/starter`;
    const deployment = await create(cloud, path, { cloud: 'aws', region: 'us-east-1' });
    const { node, login } = await look(cloud, deployment);
    const [broker = 0] = node.runtimes.map(({ pid }) => pid);
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
    expect(body.nodes[0]).toMatchObject({ driver: 'nats', replication: 'none', runtimes: [{ version: '2.9.10' }] });

    const reader = await connect(node.endpoints.tcp, login, { clientId: 'reader', clean: false });
    await reader.subscribeAsync('kept/#', { qos: 1 });
    await reader.endAsync();
    const writer = await connect(node.endpoints.tcp, login, { reconnectPeriod: 200 });
    await writer.publishAsync('kept/1', 'before', { qos: 1 });
    process.kill(broker, 'SIGKILL');
    await eventually('the agent has started another broker', async () => {
      const [runtime] = (await look(cloud, deployment)).node.runtimes;
      return runtime !== undefined && runtime.pid > 0 && runtime.pid !== broker;
    });
    await writer.publishAsync('kept/2', 'past the death of the broker', { qos: 1 });

    const closings = count(writer);
    await killProcess(cloud, node, 'agent.main.js');
    await writer.publishAsync('kept/3', 'past the death of the agent', { qos: 1 });
    expect(closings()).toBe(0);
    expect(await readKept(node.endpoints.tcp, login, 3)).toEqual([
      'before',
      'past the death of the broker',
      'past the death of the agent',
    ]);

    await writer.endAsync(true);
    await remove(cloud, deployment);
    expect(await cloud.nodeProcesses()).toEqual([]);
    expect(readdirSync(join(cloud.directory, 'nodes'))).toEqual([]);
    for (const endpoint of [node.endpoints.tcp, node.endpoints.http, node.endpoints.websocket])
      expect(await isOpen(endpoint)).toBe(false);
  }, 120_000);

  it('runs a cluster of three equal nodes, which continues without one of them and accepts it again', async () => {
    const shape = { cloud: 'gcp', region: 'us-central1', tier: 'small', cluster: 'cluster', managed_tier: 'standard' };
    const deployment = await create(cloud, `${cloud.environment}/deployments/managed`, { name: 'c', ...shape });
    await permit(cloud, deployment);
    const { nodes, login } = await look(cloud, deployment);
    const [one, two, three] = nodes as [NodeOfView, NodeOfView, NodeOfView];
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
    expect(body.nodes.map(({ replication }: { replication: string }) => replication)).toEqual(Array(3).fill('broker'));
    const [writer, reader] = [await persistently(one, login), await persistently(two, login)];
    const inbox = new Set<string>();
    reader.on('message', (_topic, payload) => inbox.add(payload.toString()));
    await reader.subscribeAsync('orders/#', { qos: 1 });

    process.kill(three.runtimes[0]?.pid ?? 0, 'SIGKILL');
    await writer.publishAsync('orders/1', 'without the third', { qos: 1 });
    await eventually('the message on node 2', () => inbox.has('without the third'));
    const back = await persistently(three, login);
    await back.publishAsync('orders/2', 'from the third', { qos: 1 });
    await eventually('its message on node 2', () => inbox.has('from the third'));

    await Promise.all([writer, reader, back].map((client) => client.endAsync(true)));
    await remove(cloud, deployment);
    expect(await cloud.nodeProcesses()).toEqual([]);
  }, 120_000);

  it('accepts publishes without loss while its cluster of three is upgraded', async () => {
    const shape = { cloud: 'aws', region: 'us-east-1', tier: 'small', cluster: 'cluster', managed_tier: 'standard' };
    const deployment = await create(cloud, `${cloud.environment}/deployments/managed`, { name: 'u', ...shape });
    await permit(cloud, deployment);
    const { nodes, login } = await look(cloud, deployment);
    const reader = await persistently(nodes[0] as NodeOfView, login, { clientId: 'reader', clean: false });
    await reader.subscribeAsync('kept/#', { qos: 1 });
    await reader.endAsync();
    const servers = nodes.map(({ endpoints }) => serverOf(endpoints.tcp));
    const writer = await mqtt.connectAsync({
      ...login,
      servers,
      reconnectPeriod: 100,
      clientId: 'writer',
      clean: false,
    });
    let connects = 0;
    writer.on('connect', () => (connects += 1));
    const watch = watchNodes(cloud, deployment);

    const accepted = await cloud.main().post(`${cloud.environment}/deployments/${deployment}/upgrade`, {
      tier: 'medium',
      storage: { size: 120 },
    });
    let isOver = false;
    const upgrade = ended(cloud, accepted.headers.get('ld-operation')).finally(() => (isOver = true));
    let published = 0;
    while (!isOver || published < 20) {
      published += 1;
      await writer.publishAsync(`kept/${published}`, `message ${published}`, { qos: 1 });
    }
    await upgrade;

    expect(connects).toBeLessThanOrEqual(3);
    expect(watch.stop()).toBeLessThanOrEqual(1);
    const kept = await readKept(nodes[0]?.endpoints.tcp ?? '', login, published);
    expect(new Set(kept).size).toBe(published);
    await writer.endAsync(true);
    await remove(cloud, deployment);
  }, 180_000);
});

const serverOf = (endpoint: string) => {
  const [host = '', port = ''] = endpoint.split(':');
  return { host, port: Number(port), protocol: 'mqtt' as const };
};

/** Polls how many nodes are not `running`; `stop` returns the maximum. */
function watchNodes(cloud: TestCloud, deployment: number): { stop: () => number } {
  let mostAway = 0;
  const look = async (): Promise<void> => {
    const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
    const away = (body.nodes as { status: string }[]).filter(({ status }) => status !== 'running').length;
    mostAway = Math.max(mostAway, away);
  };
  const timer = setInterval(() => void look().catch(() => undefined), 100);
  return {
    stop: () => {
      clearInterval(timer);
      return mostAway;
    },
  };
}

async function create(cloud: TestCloud, path: string, order: object): Promise<number> {
  const accepted = await cloud.main().post(path, order);
  expect(accepted.status).toBe(202);
  await ended(cloud, accepted.headers.get('ld-operation'));
  return Number(accepted.headers.get('ld-deployment'));
}

async function remove(cloud: TestCloud, deployment: number): Promise<void> {
  const accepted = await cloud.main().delete(`${cloud.environment}/deployments/${deployment}`);
  expect(accepted.status).toBe(202);
  await ended(cloud, accepted.headers.get('ld-operation'));
}

async function ended(cloud: TestCloud, operation: string | null): Promise<void> {
  const { body } = await cloud.main().get(`${cloud.tenant}/operations/${operation}?wait=60`);
  expect(body).toMatchObject({ status: 'succeeded', progress: 100 });
}

async function look(cloud: TestCloud, deployment: number) {
  const { body } = await cloud.runtime().get(`/deployments/${deployment}`);
  const { body: login } = await cloud.runtime().get(`/deployments/${deployment}/credentials`);
  const nodes = body.nodes as NodeOfView[];
  return { nodes, node: nodes[0] as NodeOfView, login: login as Login };
}

function connect(endpoint: string, login: Login, more: IClientOptions = {}): Promise<MqttClient> {
  const options = { ...login, reconnectPeriod: 0, connectTimeout: 5_000, ...more };
  return mqtt.connectAsync(`mqtt://${endpoint}`, options, false);
}

/** Connects a client that retries until it is admitted, and that reconnects after a loss, as clients do. */
function persistently(node: NodeOfView, login: Login, more: IClientOptions = {}): Promise<MqttClient> {
  const attempt = () => connect(node.endpoints.tcp, login, { reconnectPeriod: 200, ...more }).catch(() => null);
  return eventually('a client is in', attempt, 60_000);
}

/** The messages on `kept/…` that the session `reader` gets after a reconnect, each once. */
async function readKept(endpoint: string, login: Login, messages: number): Promise<string[]> {
  const session = { clientId: 'reader', clean: false, reconnectPeriod: 200, manualConnect: true };
  const client = mqtt.connect(`mqtt://${endpoint}`, { ...login, ...session });
  const seen = new Set<string>();
  // Subscribe to the event before the connection: the queue of a session arrives with the first packet.
  client.on('message', (_topic, payload) => seen.add(payload.toString()));
  client.connect();
  await eventually('the messages that were kept', () => seen.size >= messages);
  await client.endAsync(true);
  return [...seen];
}

function count(client: MqttClient): () => number {
  let closings = 0;
  client.on('close', () => (closings += 1));
  return () => closings;
}

async function killProcess(cloud: TestCloud, node: NodeOfView, entry: string): Promise<void> {
  const own = ({ command }: { command: string }) => command.includes(entry) && command.endsWith(`/${node.id}`);
  const [found] = (await cloud.nodeProcesses()).filter(own);
  process.kill(found?.pid ?? 0, 'SIGKILL');
  await eventually('the process is gone', async () =>
    (await cloud.nodeProcesses()).every(({ pid }) => pid !== found?.pid),
  );
}

/** Allows clients of this machine. */
async function permit(cloud: TestCloud, deployment: number): Promise<void> {
  const rule = { name: 'here', cidr_blocks: ['127.0.0.0/8'], rules: { broker_tcp: true } };
  const { status } = await cloud.runtime().post(`/deployments/${deployment}/access_rules`, rule);
  expect(status).toBe(201);
}

async function isOpen(endpoint: string): Promise<boolean> {
  const [host = '', port = ''] = endpoint.split(':');
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
