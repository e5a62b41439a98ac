import { randomBytes } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { MqttClient } from 'mqtt';
import {
  aNodeSpec,
  BrokerUnderTest,
  inboxOf,
  lastWords,
  PASSWORD,
  type SpecChanges,
  until,
} from '../../../test/brokers/embedded.fixture.js';

const running: BrokerUnderTest[] = [];

async function aBroker(changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec(changes));
  running.push(broker);
  await broker.start();
  return broker;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

describe('the embedded broker', () => {
  it('delivers a message from a TCP client to a WebSocket client and back', async () => {
    const broker = await aBroker();
    const [tcp, websocket] = [await broker.client(), await broker.client({}, 'websocket')];
    const [tcpInbox, websocketInbox] = [inboxOf(tcp), inboxOf(websocket)];
    await tcp.subscribeAsync('to/tcp');
    await websocket.subscribeAsync('to/websocket');

    await tcp.publishAsync('to/websocket', 'one');
    await websocket.publishAsync('to/tcp', 'two', { qos: 1 });

    await until('both messages', () => tcpInbox.length === 1 && websocketInbox.length === 1);
    expect(websocketInbox).toEqual([{ topic: 'to/websocket', text: 'one', retain: false }]);
    expect(tcpInbox).toEqual([{ topic: 'to/tcp', text: 'two', retain: false }]);
    await Promise.all([tcp.endAsync(), websocket.endAsync()]);
  });

  it.each(['tcp', 'websocket'] as const)('refuses a wrong password and a wrong name over %s', async (protocol) => {
    const broker = await aBroker();

    await expect(broker.client({ password: 'wrong' }, protocol)).rejects.toMatchObject({ code: 5 });
    await expect(broker.client({ username: 'root' }, protocol)).rejects.toMatchObject({ code: 5 });
    await expect(broker.client({ username: '', password: '' }, protocol)).rejects.toMatchObject({ code: 5 });
  });

  it('keeps every acknowledged QoS 1 message for an offline session, and retained messages, over kill -9', async () => {
    const broker = await aBroker();
    const session = { clientId: 'reader 0', clean: false };
    // Many sessions, so that storing takes much longer than acknowledging.
    for (let index = 0; index < 20; index += 1) {
      const away = await broker.client({ ...session, clientId: `reader ${index}` });
      await away.subscribeAsync('jobs/#', { qos: 1 });
      await away.endAsync();
    }
    const writer = await broker.client();
    await writer.publishAsync('state', 'kept', { qos: 1, retain: true });
    const acknowledged: string[] = [];
    // Kills the broker during many publishes. Only messages acknowledged by then must survive.
    for (let index = 0; index < 2_000; index += 1) {
      writer.publish('jobs/1', `job ${index}`, { qos: 1 }, (error) => error ?? acknowledged.push(`job ${index}`));
    }
    const closed = new Promise((resolve) => writer.once('close', () => resolve(null)));
    await until('some acknowledgements', () => acknowledged.length >= 100);
    await broker.kill();
    await closed;
    const promised = [...acknowledged];

    await broker.start();
    const { client: back, inbox } = await broker.reader(session);
    const other = await broker.client();
    const retained = inboxOf(other);
    await other.subscribeAsync('state');

    await until('the retained message', () => retained.length === 1);
    expect(retained).toEqual([{ topic: 'state', text: 'kept', retain: true }]);
    await until('the queue', () => inbox.some(({ text }) => text === promised.at(-1)));
    expect(inbox.slice(0, promised.length).map(({ text }) => text)).toEqual(promised);
    await Promise.all([back.endAsync(true), other.endAsync(), writer.endAsync(true)]);
  });

  it.each([true, false])('keeps all messages in order with mixed QoS levels (clean session %s)', async (clean) => {
    const broker = await aBroker();
    const { client: reader, inbox } = await broker.reader({ clientId: 'reader', clean });
    await reader.subscribeAsync(['mixed/#', 'mixed/1'], { qos: 2 });
    const writers = [await broker.client(), await broker.client(), await broker.client()];
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(index));

    // Each writer has its own pace, so that messages of different levels overtake each other in the broker.
    const publish = async (writer: MqttClient, qos: number): Promise<void> => {
      for (let at = 0; at < numbers.length; at += 20) {
        const window = numbers.slice(at, at + 20);
        await Promise.all(window.map((text) => writer.publishAsync(`mixed/${qos}`, text, { qos: qos as 0 | 1 | 2 })));
        await new Promise((wake) => setImmediate(wake));
      }
    };
    await Promise.all(writers.map(publish));

    await until('all messages', () => inbox.length >= 3 * numbers.length);
    for (const qos of [0, 1, 2]) {
      expect(inbox.filter(({ topic }) => topic === `mixed/${qos}`).map(({ text }) => text)).toEqual(numbers);
    }
    await Promise.all([reader, ...writers].map((client) => client.endAsync()));
  });

  it('answers /ping for every accepted client, and /stats only with the credentials', async () => {
    const broker = await aBroker();
    const client = await broker.client();
    await client.subscribeAsync('a/#');
    await client.publishAsync('a/b', 'x', { qos: 1 });
    const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

    const ping = await fetch(`${broker.url('http')}/ping`);
    const refused = await fetch(`${broker.url('http')}/stats`);
    const stats = await fetch(`${broker.url('http')}/stats`, { headers: { authorization } });

    expect(await ping.text()).toBe('pong');
    expect(refused.status).toBe(401);
    expect(await stats.json()).toMatchObject({ clients: 1, messages_received: 1, messages_sent: 1, subscriptions: 1 });
    await client.endAsync();
  });

  it('counts the topics and the messages in its store after a restart', async () => {
    const broker = await aBroker();
    const asleep = { clientId: 'asleep', clean: false };
    const sleeper = await broker.client(asleep);
    await sleeper.subscribeAsync('queue', { qos: 1 });
    await sleeper.endAsync();
    const writer = await broker.client();
    await writer.publishAsync('kept/1', 'x', { qos: 1, retain: true });
    await writer.publishAsync('kept/2', 'x', { qos: 1, retain: true });
    await writer.publishAsync('queue', 'x', { qos: 1 });
    await writer.endAsync();
    const stats = (): Promise<Record<string, number>> => broker.runtime.stats(broker.home);
    expect(await stats()).toMatchObject({ topics: 3 });

    await broker.kill();
    await broker.start();

    await until('the store is counted', async () => 'messages' in (await stats()));
    expect(await stats()).toMatchObject({ topics: 2, messages: 3 });
  });

  it('exits with the port as its last log line when a port is taken', async () => {
    const spec = await aNodeSpec();
    const otherServer = createServer().listen(spec.listen.ports.tcp ?? 0, '127.0.0.1');
    const broker = await BrokerUnderTest.of(spec);
    running.push(broker);

    await broker.spawn();

    expect((await broker.exited)?.code).toBe(1);
    expect(lastWords(await broker.log())).toMatchObject({
      ...{ level: 'error', msg: `port ${spec.listen.ports.tcp} is already in use` },
    });
    await new Promise((resolve) => otherServer.close(resolve));
  });

  it('is the only broker of its node: a second start exits with an error, and the first continues', async () => {
    const broker = await aBroker();
    const { pid } = await broker.ready();
    const first = broker.exited;

    await broker.spawn();

    expect((await broker.exited)?.code).toBe(1);
    expect(await broker.log()).toContain('another broker of this node is already running');
    expect((await broker.ready()).pid).toBe(pid);
    broker.exited = first;
  });

  it('reports the release of its MQTT broker', async () => {
    const { readFile } = await import('node:fs/promises');
    const { version } = JSON.parse(await readFile('node_modules/aedes/package.json', 'utf8')) as { version: string };

    const broker = await aBroker();

    expect((await broker.ready()).version).toBe(version);
  });

  it('keeps secrets out of argv', async () => {
    const broker = await aBroker();
    const { pid } = await broker.ready();
    const { readFile, stat } = await import('node:fs/promises');

    const argv = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');

    expect(argv).not.toContain(PASSWORD);
    expect((await stat(`${broker.home.dir}/broker.json`)).mode & 0o077).toBe(0);
  });
});

describe('the settings of the embedded broker', () => {
  it('disconnects a client that sends a packet above mqtt.max_packet_size', async () => {
    const broker = await aBroker({ values: { 'mqtt.max_packet_size': 2_048 } });
    const client = await broker.client();
    await client.publishAsync('a', 'x'.repeat(1_900), { qos: 1 });

    const closed = new Promise((resolve) => client.once('close', () => resolve('closed')));
    client.publish('a', 'x'.repeat(2_100), { qos: 1 });

    expect(await closed).toBe('closed');
    await client.endAsync(true);
  });

  it('refuses a keep-alive above mqtt.keepalive_limit', async () => {
    const broker = await aBroker({ values: { 'mqtt.keepalive_limit': 30 } });

    await expect(broker.client({ keepalive: 31 })).rejects.toMatchObject({ code: 6 });
    await (await broker.client({ keepalive: 30 })).endAsync();
  });

  it('answers a client above mqtt.max_connections with "server unavailable"', async () => {
    const broker = await aBroker({ values: { 'mqtt.max_connections': 1 } });
    const first = await broker.client();

    await expect(broker.client()).rejects.toMatchObject({ code: 3 });
    await first.endAsync();
  });

  it('sends a heartbeat every mqtt.heartbeat_interval', async () => {
    const broker = await aBroker({ values: { 'mqtt.heartbeat_interval': 1 } });
    const client = await broker.client();
    const inbox = inboxOf(client);

    await client.subscribeAsync('$SYS/+/heartbeat');

    await until('a heartbeat', () => inbox.length > 0);
    await client.endAsync();
  });

  it('closes a connection that sends no CONNECT within mqtt.connect_timeout', async () => {
    const broker = await aBroker({ values: { 'mqtt.connect_timeout': 1 } });
    const { connect } = await import('node:net');

    const started = Date.now();
    const socket = connect(broker.spec.listen.ports.tcp ?? 0, '127.0.0.1');
    await new Promise((resolve) => socket.once('close', resolve).once('error', () => undefined));

    // The default is 30 seconds.
    expect(Date.now() - started).toBeLessThan(25_000);
  });

  it('disconnects a client that goes below mqtt.max_topic_levels', async () => {
    const broker = await aBroker({ values: { 'mqtt.max_topic_levels': 2 } });
    const client = await broker.client();
    await client.publishAsync('a/b', 'x', { qos: 1 });

    const closed = new Promise((resolve) => client.once('close', () => resolve('closed')));
    client.publish('a/b/c', 'x', { qos: 1 });

    expect(await closed).toBe('closed');
    await client.endAsync(true);
  });

  it('disconnects a client that leaves more than mqtt.max_inflight_inbound messages unreleased', async () => {
    const broker = await aBroker({ values: { 'mqtt.max_inflight_inbound': 2 } });

    const socket = connect(broker.spec.listen.ports.tcp ?? 0, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    const received = new Promise((resolve) => {
      let count = 0;
      // The CONNACK, then one PUBREC per accepted message, with 4 bytes each.
      socket.on('data', (bytes) => (count += bytes.length) >= 12 && resolve('two are taken'));
    });
    socket.write(connectPacket());
    for (const id of [1, 2]) socket.write(unreleased(id));

    expect(await received).toBe('two are taken');
    socket.write(unreleased(3));
    expect(await closed).toBe('closed');
  });

  it('disconnects a client that leaves its messages unread for mqtt.drain_timeout', async () => {
    const broker = await aBroker({ values: { 'mqtt.drain_timeout': 1 } });
    const socket = connect(broker.spec.listen.ports.tcp ?? 0, '127.0.0.1').on('error', () => undefined);
    socket.write(connectPacket());
    socket.write(packet(0x82, Buffer.from([0, 1, 0, 1, 0x61, 0])));
    // The CONNACK and the SUBACK. The client reads nothing after them.
    await until('it is subscribed', () => socket.bytesRead >= 9 || (socket.read(), false));
    socket.pause();
    const writer = await broker.client();

    for (let count = 0; count < 400; count += 1) await writer.publishAsync('a', Buffer.alloc(100_000), { qos: 1 });

    await until('only the writer is left', async () => (await broker.runtime.stats(broker.home))['clients'] === 1);
    socket.destroy();
    await writer.endAsync(true);
  });

  it('retains nothing when mqtt.retain_enabled is off', async () => {
    const broker = await aBroker({ values: { 'mqtt.retain_enabled': false } });
    const client = await broker.client();
    const inbox = inboxOf(client);
    await client.publishAsync('a', 'before', { qos: 1, retain: true });

    await client.subscribeAsync('a');
    await client.publishAsync('a', 'after', { qos: 1, retain: true });

    await until('a message', () => inbox.length > 0);
    expect(inbox.map(({ text }) => text)).toEqual(['after']);
    await client.endAsync();
  });

  it('refuses publishes when its storage is full, and still serves its stored messages', async () => {
    const broker = await aBroker({ limits: { memory_mib: 512, storage_mib: 1 } });
    const reader = await broker.client({ clientId: 'away', clean: false });
    await reader.subscribeAsync('jobs', { qos: 1 });
    await reader.endAsync();
    const writer = await broker.client();
    const closed = new Promise((resolve) => writer.once('close', () => resolve('closed')));

    let stored = 0;
    // Random data, which the store cannot compress.
    const job = randomBytes(64 * 1024);
    // A publish gets no answer when the broker cuts the connection.
    while (writer.connected && stored < 500) {
      const answered = await Promise.race([writer.publishAsync('jobs', job, { qos: 1 }), closed]);
      if (answered !== 'closed') stored += 1;
    }

    expect(await closed).toBe('closed');
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(500);
    expect(await broker.runtime.stats(broker.home)).toMatchObject({ storage_full: 1 });
    const { client, inbox } = await broker.reader({ clientId: 'away', clean: false });
    await until('the first job', () => inbox.length > 0);
    await client.endAsync(true);
  });

  it('opens neither HTTP nor WebSocket when they are disabled', async () => {
    const broker = await aBroker({ values: { 'http.enabled': false, 'websocket.enabled': false } });

    await expect(fetch(`${broker.url('http')}/ping`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await expect(broker.client({}, 'websocket')).rejects.toThrow();
    await (await broker.client()).endAsync();
  });
});

/** Plain MQTT 3.1.1 packets, for a client that never sends PUBREL. */
function connectPacket(): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
  const flags = Buffer.from([4, 0b1100_0010, 0, 60]);
  return packet(0x10, Buffer.concat([text('MQTT'), flags, text('raw'), text('admin'), text(PASSWORD)]));
}

/** A QoS 2 PUBLISH to `a`. */
const unreleased = (id: number): Buffer => packet(0x34, Buffer.from([0, 1, 0x61, 0, id, 0x78]));
const packet = (type: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([type, body.length]), body]);
