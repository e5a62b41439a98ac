import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectNats } from '@nats-io/transport-node';
import mqtt from 'mqtt';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import {
  EVERYONE,
  gateOf,
  inboxOf,
  until,
  type BrokerUnderTest,
  type SpecChanges,
} from '../../../test/brokers/embedded.fixture.js';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import { nodeFlag } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { clientAccount } from './nats-config.js';
import { NATS_FILES } from './nats-files.js';
import { monitorPassword } from './nats-monitor.js';
import { NatsUpstream } from './nats-upstream.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';

const running: BrokerUnderTest[] = [];

async function aNode(changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  const node = await aNatsNode(NATS_SERVER, changes);
  running.push(node);
  await node.start();
  return node;
}

async function serverPid(node: BrokerUnderTest): Promise<number> {
  return (await node.runtime.contact(node.home))?.pid ?? 0;
}

/** Sends bytes and closes. Resolves when the other side has closed too. */
function shout(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.end(bytes, 'latin1');
  });
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

describeWithNats('a node with nats', () => {
  it('carries QoS 1 messages through the gate, over TCP and over WebSocket', async () => {
    const node = await aNode();
    const [tcp, web] = [await node.client(), await node.client({}, 'websocket')];
    const inbox = inboxOf(tcp);
    await tcp.subscribeAsync('orders/#', { qos: 1 });

    await web.publishAsync('orders/1', 'three coffees', { qos: 1 });

    await until('the message', () => inbox.length === 1);
    expect(inbox).toEqual([{ topic: 'orders/1', text: 'three coffees', retain: false }]);
    await Promise.all([tcp.endAsync(), web.endAsync()]);
  });

  it('serves TLS on the same ports, and uses a new certificate without cutting connections', async () => {
    const [first, second] = [await aCertificate(), await aCertificate()];
    const node = await aNode({ certs: first });
    const [tcp, web] = [await node.tlsClient(first.ca), await node.tlsClient(first.ca, 'websocket')];
    const inbox = inboxOf(tcp);
    await tcp.subscribeAsync('orders/#', { qos: 1 });
    const { pid, configHash } = await node.ready();

    await node.setCertificate(second);
    await web.publishAsync('orders/1', 'three coffees', { qos: 1 });

    await until('the message', () => inbox.length === 1);
    await (await node.tlsClient(second.ca)).endAsync();
    await expect(node.tlsClient(first.ca)).rejects.toThrow();
    expect(await node.ready()).toMatchObject({ pid, configHash });
    await Promise.all([tcp.endAsync(), web.endAsync()]);
  });

  it('sends a retained message to later subscribers', async () => {
    const node = await aNode();
    const client = await node.client();
    await client.publishAsync('state', 'on', { qos: 1, retain: true });
    const inbox = inboxOf(client);

    await client.subscribeAsync('state', { qos: 1 });

    await until('the retained message', () => inbox.length === 1);
    expect(inbox).toEqual([{ topic: 'state', text: 'on', retain: true }]);
    await client.endAsync();
  });

  it('requires credentials from every local client, and has no monitoring port', async () => {
    const node = await aNode();
    const [file = ''] = await readdir(NATS_FILES.ports(node.home));
    const ports = JSON.parse(await readFile(join(NATS_FILES.ports(node.home), file), 'utf8')) as Record<
      string,
      string[]
    >;
    const [server = ''] = ports['nats'] ?? [];
    const { username: user, password: pass } = clientAccount(node.spec);
    const asClient = { user, pass: node.spec.credentials.password };

    expect(ports['monitoring']).toBeUndefined();
    for (const login of [{}, asClient])
      await expect(connectNats({ servers: server, ...login, reconnect: false })).rejects.toThrow(/authorization/i);
    const client = await connectNats({ servers: server, user, pass, reconnect: false });
    await expect(client.request('$SYS.REQ.SERVER.PING.VARZ', '', { timeout: 500 })).rejects.toThrow();
    await client.close();
    const upstream = new NatsUpstream(node.home, 1, monitorPassword(node.spec));
    const mqttPort = (await upstream.find())?.port;
    await upstream.close();
    await expect(mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { reconnectPeriod: 0 }, false)).rejects.toThrow(
      /not authorized/i,
    );
  });

  it('reports its version and its counters', async () => {
    const node = await aNode();
    const client = await node.client();
    await client.subscribeAsync('a', { qos: 1 });
    await client.publishAsync('a', 'b', { qos: 1 });

    const { hash } = node.runtime.render(node.home, node.spec, gateOf(node.spec));
    expect(await node.runtime.contact(node.home)).toMatchObject({
      version: '2.9.10',
      configHash: hash,
      listening: true,
      ready: true,
      reason: null,
    });
    const stats = await until('the message is counted', async () => {
      const now = await node.runtime.stats(node.home);
      return now['messages_sent'] === 1 ? now : null;
    });
    expect(stats).toMatchObject({ clients: 1, gate_clients: 1, gate_denied: 0, messages_received: 1 });
    for (const gauge of ['bytes_received', 'bytes_sent', 'memory_bytes', 'streams'])
      expect(stats[gauge]).toBeGreaterThan(0);
    await client.endAsync();
  });

  it('refuses a client with a wrong password', async () => {
    const node = await aNode();

    await expect(node.client({ password: 'guess' })).rejects.toMatchObject({ code: 5 });
  });

  it('stores secrets in files for the owner only, and in no argv', async () => {
    const node = await aNode();

    for (const file of ['nats.conf', 'gate.json']) expect((await stat(join(node.home.dir, file))).mode & 0o077).toBe(0);
    const pids = await pidsWith([nodeFlag(node.home)]);
    expect(pids).toHaveLength(2);
    for (const pid of pids) {
      const [argv, environment] = await Promise.all(
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
      );
      expect(`${argv}${environment}`).not.toContain('correct horse');
    }
  });

  it('answers /ping to everyone and /stats to the account on the HTTP port', async () => {
    const node = await aNode();
    const login = `Basic ${Buffer.from('admin:correct horse').toString('base64')}`;

    expect(await (await fetch(`${node.url('http')}/ping`)).text()).toBe('pong');
    expect((await fetch(`${node.url('http')}/stats`)).status).toBe(401);
    const stats = await fetch(`${node.url('http')}/stats`, { headers: { authorization: login } });
    expect(await stats.json()).toMatchObject({ clients: 0 });
  });

  it('hides its internal topics from a client that subscribes to all, and protects them from changes', async () => {
    const node = await aNode();
    const [careful, curious] = [await node.client(), await node.client({ clientId: 'curious' })];
    const [inbox, plainInbox] = [inboxOf(careful), inboxOf(curious)];
    await careful.subscribeAsync('#', { qos: 1 });
    await curious.subscribeAsync('#', { qos: 0 });
    const session = { clientId: 'reader', clean: false };
    const reader = await node.client(session);
    await reader.subscribeAsync('kept', { qos: 1 });
    await reader.endAsync();

    const vandal = await node.client();
    vandal.on('error', () => undefined);
    for (const stream of ['$MQTT_msgs', '$MQTT_sess'])
      vandal.publish(`$JS/API/STREAM/DELETE/${stream}`, '', { qos: 0 });
    const writer = await node.client();
    await writer.publishAsync('kept', 'remember me', { qos: 1 });
    await writer.publishAsync('last', '', { qos: 1 });
    await until('the messages', () =>
      [inbox, plainInbox].every((messages) => messages.some(({ topic }) => topic === 'last')),
    );

    const { client, inbox: kept } = await node.reader(session);
    await until('the kept message', () => kept.length > 0);
    expect(inbox.map(({ topic }) => topic)).toEqual(['kept', 'last']);
    expect(plainInbox.map(({ topic }) => topic)).toEqual(['kept', 'last']);
    await Promise.all([careful, curious, vandal, writer, client].map((one) => one.endAsync(true)));
  });

  it('closes only the connection that sends garbage', async () => {
    const node = await aNode({ rules: [EVERYONE] });
    const pid = await serverPid(node);
    const client = await node.client();
    const { tcp, http, websocket } = node.spec.listen.ports;
    const noise = [
      'GET / HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      '\u0010',
      '\u00f3'.repeat(100_000),
    ];

    for (const port of [tcp, http, websocket]) for (const bytes of noise) await shout(port ?? 0, bytes);

    await client.publishAsync('still', 'here', { qos: 1 });
    expect(await serverPid(node)).toBe(pid);
    await client.endAsync();
  });

  it('cuts a live client when its rule is removed, and keeps others connected', async () => {
    const others = { ...EVERYONE, id: 2, cidrs: ['127.0.0.2/32'] };
    const node = await aNode({ rules: [{ ...EVERYONE, cidrs: ['127.0.0.1/32'] }, others] });
    const [cut, stays] = [await node.client(), await node.clientFrom('127.0.0.2')];
    const closed = new Promise((resolve) => cut.once('close', () => resolve(null)));

    await node.setRules([others]);
    await closed;

    await stays.publishAsync('still', 'here', { qos: 1 });
    await expect(node.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await Promise.all([cut.endAsync(true), stays.endAsync()]);
  });

  it('keeps a session over a kill -9 of nats-server, behind the same gate', async () => {
    const node = await aNode();
    const session = { clientId: 'reader', clean: false };
    const reader = await node.client(session);
    await reader.subscribeAsync('kept/#', { qos: 1 });
    await reader.endAsync();
    const writer = await node.client();
    await writer.publishAsync('kept/1', 'remember me', { qos: 1 });
    const lost = new Promise((resolve) => writer.once('close', () => resolve(null)));
    const gatesBefore = await pidsWith([nodeFlag(node.home), join(node.home.dir, 'gate.json')]);

    process.kill(await serverPid(node), 'SIGKILL');
    await lost;
    expect(await until('the broker is missed', async () => (await node.runtime.contact(node.home)) === null)).toBe(
      true,
    );
    await node.start();

    const { client, inbox } = await node.reader(session);
    await until('the kept message', () => inbox.length > 0);
    expect(inbox[0]).toMatchObject({ topic: 'kept/1', text: 'remember me' });
    expect(await pidsWith([nodeFlag(node.home), join(node.home.dir, 'gate.json')])).toEqual(gatesBefore);
    await client.endAsync();
    await writer.endAsync(true);
  });

  it('keeps the same server behind a new gate after the gate was killed', async () => {
    const node = await aNode();
    const pid = await serverPid(node);
    const [gate = 0] = await pidsWith([nodeFlag(node.home), join(node.home.dir, 'gate.json')]);

    process.kill(gate, 'SIGKILL');
    await until('the gate is missed', async () => (await node.runtime.contact(node.home)) === null);
    await node.start();

    expect(await serverPid(node)).toBe(pid);
    await (await node.client()).endAsync();
  });

  it('leaves no process when it is stopped', async () => {
    const node = await aNode();

    await node.runtime.stop(node.home, 5_000);

    expect(await pidsWith([nodeFlag(node.home)])).toEqual([]);
    expect(await node.runtime.contact(node.home)).toBeNull();
  });
});
