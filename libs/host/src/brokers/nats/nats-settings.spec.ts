import { connect } from 'node:net';
import { NATS_SETTINGS } from '@libs/broker-config';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { inboxOf, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';

const running: BrokerUnderTest[] = [];

async function aNode(values: Partial<Record<keyof typeof NATS_SETTINGS, number | boolean>>): Promise<BrokerUnderTest> {
  const node = await aNatsNode(NATS_SERVER, { values });
  running.push(node);
  await node.start();
  return node;
}

function closed(client: MqttClient): Promise<true> {
  return new Promise((resolve) => client.once('close', () => resolve(true)));
}

/** True when the broker acknowledges in time. */
function isAcknowledged(
  client: MqttClient,
  topic: string,
  payload: string | Buffer,
  withinMs = 1_500,
): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), withinMs));
  const done = client.publishAsync(topic, payload, { qos: 1 }).then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]);
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

/** Each key, through its effect on a client. */
describeWithNats('the configuration of a node with nats', () => {
  it('mqtt.max_packet_size disconnects a client that sends more', async () => {
    const node = await aNode({ 'mqtt.max_packet_size': 2_048 });
    const client = await node.client();
    client.on('error', () => undefined);
    expect(await isAcknowledged(client, 'a', Buffer.alloc(1_900))).toBe(true);

    const end = closed(client);
    client.publish('a', Buffer.alloc(2_100), { qos: 1 }, () => undefined);

    expect(await end).toBe(true);
    await client.endAsync(true);
  });

  it('mqtt.max_connections refuses the next client', async () => {
    const node = await aNode({ 'mqtt.max_connections': 2 });
    const [first, second] = [await node.client(), await node.client()];

    await expect(node.client()).rejects.toThrow();

    await first.endAsync();
    await until('there is room again', () =>
      node.client().then(
        (client) => client.endAsync().then(() => true),
        () => false,
      ),
    );
    await second.endAsync();
  });

  it('mqtt.max_subscriptions refuses the next subscription', async () => {
    const node = await aNode({ 'mqtt.max_subscriptions': 2 });
    const client = await node.client();
    await client.subscribeAsync('a', { qos: 0 });
    await client.subscribeAsync('b', { qos: 0 });

    await expect(client.subscribeAsync('c', { qos: 0 })).rejects.toThrow('Subscribe error');
    await client.endAsync();
  });

  it('mqtt.ack_wait redelivers unacknowledged messages', async () => {
    const node = await aNode({ 'mqtt.ack_wait': 1 });
    const reader = await aSilentReader(node);
    const sender = await node.client();

    await sender.publishAsync('work', 'once', { qos: 1 });

    const again = await until('the second delivery', () => (reader.seen.length > 1 ? reader.seen : null));
    expect(again.slice(0, 2)).toEqual([
      { text: 'once', dup: false },
      { text: 'once', dup: true },
    ]);
    reader.client.end(true);
    await sender.endAsync();
  });

  it('mqtt.max_ack_pending holds back further messages', async () => {
    const node = await aNode({ 'mqtt.max_ack_pending': 2 });
    const reader = await aSilentReader(node);
    const sender = await node.client();

    for (const text of ['1', '2', '3', '4']) await sender.publishAsync('work', text, { qos: 1 });
    await until('two have come', () => reader.seen.length === 2);
    const lively = await node.client({ clientId: 'lively' });
    const inbox = inboxOf(lively);
    await lively.subscribeAsync('marker', { qos: 1 });
    await sender.publishAsync('marker', 'later than all', { qos: 1 });
    await until('the marker', () => inbox.length === 1);

    expect(reader.seen.map(({ text }) => text)).toEqual(['1', '2']);
    reader.client.end(true);
    await Promise.all([sender.endAsync(), lively.endAsync()]);
  });

  it('mqtt.connect_timeout closes a silent connection', async () => {
    const node = await aNode({ 'mqtt.connect_timeout': 1 });
    const begun = Date.now();
    const socket = connect(node.spec.listen.ports.tcp ?? 0, '127.0.0.1').resume();

    await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));

    expect(Date.now() - begun).toBeGreaterThan(800);
    // The default is 30 seconds.
    expect(Date.now() - begun).toBeLessThan(25_000);
  });

  it('jetstream.max_file_store leaves a message that does not fit unacknowledged', async () => {
    const node = await aNode({ 'jetstream.max_file_store': 1_048_576 });
    const reader = await node.client({ clientId: 'away', clean: false });
    await reader.subscribeAsync('kept', { qos: 1 });
    await reader.endAsync();
    const writer = await node.client();
    writer.on('error', () => undefined);

    expect(await isAcknowledged(writer, 'kept', Buffer.alloc(200_000))).toBe(true);
    let acknowledged = 1;
    while (acknowledged < 10 && (await isAcknowledged(writer, 'kept', Buffer.alloc(200_000)))) acknowledged += 1;

    expect(acknowledged).toBeLessThan(8);
    await writer.endAsync(true);
  });

  it('http.enabled and websocket.enabled close their ports, but not the MQTT port', async () => {
    const node = await aNode({ 'http.enabled': false, 'websocket.enabled': false });

    await expect(fetch(`${node.url('http')}/ping`)).rejects.toThrow();
    await expect(node.client({}, 'websocket')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await (await node.client()).endAsync();
  });
});

/** A reader of `work` that never acknowledges, and its received messages. */
async function aSilentReader(node: BrokerUnderTest) {
  const messages: { text: string; dup: boolean }[] = [];
  const client = await node.client({ clientId: 'silent', clean: false });
  client.handleMessage = (_packet, callback) =>
    callback(new Error('an error is what keeps this client from acknowledging'));
  client.on('packetreceive', (packet) => {
    if (packet.cmd === 'publish') messages.push({ text: packet.payload.toString(), dup: packet.dup });
  });
  await client.subscribeAsync('work', { qos: 1 });
  return { client, seen: messages };
}
