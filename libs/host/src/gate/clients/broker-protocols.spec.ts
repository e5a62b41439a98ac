import { brokerProtocols } from '@libs/broker-config';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { IClientOptions, MqttClient } from 'mqtt';
import { aNodeSpec, BrokerUnderTest, inboxOf, until } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';

const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

async function started(make: () => Promise<BrokerUnderTest>): Promise<BrokerUnderTest> {
  const node = await make();
  running.push(node);
  await node.start();
  return node;
}

async function signIn(node: BrokerUnderTest, options: IClientOptions = {}): Promise<MqttClient> {
  const client = await node.client(options);
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

/** Whether the broker acknowledges and delivers a message. Otherwise it has closed the connection, or delivers nothing. */
async function delivers(node: BrokerUnderTest, topic: string, qos: 0 | 1 | 2): Promise<boolean> {
  const reader = await signIn(node);
  const inbox = inboxOf(reader);
  await reader.subscribeAsync('#', { qos: 1 });
  const writer = await signIn(node);
  const closed = new Promise<string>((resolve) => writer.once('close', () => resolve('closed')));
  const sent = writer.publishAsync(topic, 'x', { qos }).then(
    () => 'sent',
    () => 'closed',
  );
  if ((await Promise.race([sent, closed])) === 'closed') return false;
  // Messages of one reader arrive in order, so the topic came before this one or never.
  await (await signIn(node)).publishAsync('last', 'x', { qos: 1 });
  await until('the last message', () => inbox.some(({ topic: name }) => name === 'last'));
  return inbox.some(({ topic: name }) => name === topic);
}

/** The code of the CONNACK for a protocol version. */
async function codeOf(node: BrokerUnderTest, options: IClientOptions): Promise<number> {
  return signIn(node, options).then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
}

/** The time from the first delivery of a message to the second, to a session that comes back. */
async function msUntilAgain(node: BrokerUnderTest): Promise<number> {
  const session = { clientId: 'worker', clean: false };
  const first = await signIn(node, session);
  const arrival = new Promise<number>((resolve) => {
    // A message that is never handled is never acknowledged.
    first.handleMessage = () => resolve(Date.now());
  });
  await first.subscribeAsync('orders', { qos: 1 });
  await (await signIn(node)).publishAsync('orders', 'one', { qos: 1 });
  const at = await arrival;
  await first.endAsync(true);

  const { client, inbox } = await node.reader(session);
  clients.push(client);
  await until('the message again', () => inbox.length > 0, 30_000);
  return Date.now() - at;
}

function keepsItsWord(make: () => Promise<BrokerUnderTest>, isWillAtTakeover: boolean): void {
  it('serves the versions of MQTT that the record names, and refuses MQTT 5 with its code', async () => {
    const node = await started(make);
    const { mqtt } = brokerProtocols(node.spec.broker.driver, node.spec.broker.version);

    expect(await codeOf(node, { protocolVersion: 4 })).toBe(0);
    expect(await codeOf(node, { protocolId: 'MQIsdp', protocolVersion: 3 })).toBe(mqtt.includes('3.1') ? 0 : 1);
    expect(mqtt).not.toContain('5');
    // The library reads the answer of version 3.1.1 as it stands.
    expect([1, 132]).toContain(await codeOf(node, { protocolVersion: 5 }));
  });

  it('takes the QoS and the topics that the record names, and no other', async () => {
    const node = await started(make);
    const { qos, refused_topics: refused } = brokerProtocols(node.spec.broker.driver, node.spec.broker.version);

    for (const level of [0, 1, 2] as const) expect(await delivers(node, 'a/b', level)).toBe(qos.includes(level));
    for (const mark of ['.', ' ']) expect(await delivers(node, `a${mark}b`, 1)).toBe(!refused.contains.includes(mark));
    for (const start of refused.begins_with) expect(await delivers(node, `${start}x`, 1)).toBe(false);
  });

  it('answers a subscription with a QoS that the record names', async () => {
    const node = await started(make);
    const { qos } = brokerProtocols(node.spec.broker.driver, node.spec.broker.version);
    const [granted] = await (await signIn(node)).subscribeAsync('a', { qos: 2 });

    expect(granted?.qos).toBe(Math.max(...qos));
  });

  it('publishes the will of a client that another one replaces, or not, as the guide says', async () => {
    const node = await started(make);
    const reader = await signIn(node);
    const inbox = inboxOf(reader);
    await reader.subscribeAsync('#', { qos: 1 });
    const first = await signIn(node, {
      clientId: 'twin',
      will: { topic: 'will', payload: Buffer.from('gone'), qos: 1 },
    });
    const closed = new Promise((resolve) => first.once('close', () => resolve(null)));
    const second = await signIn(node, { clientId: 'twin' });
    await closed;
    await second.publishAsync('last', 'x', { qos: 1 });

    if (isWillAtTakeover) await until('the will', () => inbox.some(({ topic }) => topic === 'will'));
    await until('the last message', () => inbox.some(({ topic }) => topic === 'last'));
    expect(inbox.some(({ topic }) => topic === 'will')).toBe(isWillAtTakeover);
  });

  it('answers a wrong password with code 5', async () => {
    expect(await codeOf(await started(make), { password: 'guess' })).toBe(5);
  });
}

describe('The embedded broker', () => {
  keepsItsWord(async () => BrokerUnderTest.of(await aNodeSpec()), true);

  it('sends unacknowledged messages again at once when the client comes back', async () => {
    expect(await msUntilAgain(await started(async () => BrokerUnderTest.of(await aNodeSpec())))).toBeLessThan(3_000);
  });
});

describeWithNats('nats', () => {
  keepsItsWord(() => aNatsNode(NATS_SERVER), false);

  it('sends unacknowledged messages again after mqtt.ack_wait', async () => {
    const node = await started(() => aNatsNode(NATS_SERVER, { values: { 'mqtt.ack_wait': 6 } }));

    expect(await msUntilAgain(node)).toBeGreaterThan(4_000);
  });
});
