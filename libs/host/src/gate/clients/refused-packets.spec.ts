import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { aNodeSpec, BrokerUnderTest, EVERYONE, inboxOf, until } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { refusedByNats } from './refused-packets.js';
import { GATE_FILES } from '../gate-control.js';
import { readFileIfAny } from '../../os/private-file.js';

const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

async function started(node: BrokerUnderTest): Promise<BrokerUnderTest> {
  running.push(node);
  await node.start();
  return node;
}

async function signIn(node: BrokerUnderTest, options = {}): Promise<MqttClient> {
  const client = await node.client(options);
  clients.push(client);
  return client;
}

/** The lines of the node with this message. */
async function lines(node: BrokerUnderTest, message: string): Promise<Record<string, unknown>[]> {
  const isNats = node.spec.broker.driver === 'nats';
  const log = isNats ? await readFileIfAny(GATE_FILES.log(node.home)) : await node.log();
  const all = (log ?? '').split('\n').filter((line) => line.startsWith('{'));
  return all.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);
}

/** The same, as soon as there is one: the connection ends before the line is written. */
const writtenLines = (node: BrokerUnderTest, message: string): Promise<Record<string, unknown>[]> =>
  until(message, async () => {
    const texts = await lines(node, message);
    return texts.length > 0 ? texts : null;
  });

const closing = (client: MqttClient): Promise<string> =>
  new Promise((resolve) => client.once('close', () => resolve('closed')));

const SHARED_FILTERS = ['$share/g/t', '$share/g/#', '$share/group with space/a/+'];

function refusesShared(make: () => Promise<BrokerUnderTest>): void {
  it.each([true, false])('answers 0x80, grants the others and says so once (clean session %s)', async (clean) => {
    const node = await started(await make());
    const client = await signIn(node, { clientId: 'worker', clean });
    const inbox = inboxOf(client);

    const all = Object.fromEntries(
      ['before', ...SHARED_FILTERS, 'after/+'].map((filter) => [filter, { qos: 1 as const }]),
    );
    const granted = await client.subscribeAsync(all).catch((error: unknown) => error);
    const codes = new Promise((resolve) =>
      client.once('packetreceive', (packet) => resolve(packet.cmd === 'suback' && packet.granted)),
    );
    client.subscribe(all);
    expect(await codes).toEqual([1, 128, 128, 128, 1]);
    expect(granted).toBeDefined();

    await client.publishAsync('before', '1', { qos: 1 });
    await client.publishAsync('after/x', '2', { qos: 1 });
    await client.publishAsync('t', '3', { qos: 1 });
    await until('the granted ones', () => inbox.length === 2);
    // MQTT promises no order between topics, and nats delivers each subscription on its own.
    expect(inbox.map(({ text }) => text).sort()).toEqual(['1', '2']);
    expect(await writtenLines(node, 'shared subscription refused')).toEqual([
      expect.objectContaining({ level: 'warn', client_id: 'worker' }),
    ]);
    expect((await node.runtime.stats(node.home))['refused_packets']).toBeGreaterThanOrEqual(2);
  });
}

function tellsAccess(make: () => Promise<BrokerUnderTest>): void {
  it('names the address of a client that no access rule allows, once a minute', async () => {
    const node = await started(await make());
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(signIn(node)).rejects.toThrow();

    expect(await writtenLines(node, 'connection refused by the access rules')).toEqual([
      expect.objectContaining({ level: 'warn', address: '127.0.0.1' }),
    ]);
    await node.setRules([EVERYONE]);
    await signIn(node);
  });
}

describe('A shared subscription on the embedded broker', () => {
  refusesShared(async () => BrokerUnderTest.of(await aNodeSpec()));

  it('is not kept in the session', async () => {
    const node = await started(await BrokerUnderTest.of(await aNodeSpec()));
    const first = await signIn(node, { clientId: 'worker', clean: false });
    await first.subscribeAsync({ '$share/g/t': { qos: 1 }, t: { qos: 1 } }).catch(() => undefined);
    await first.endAsync();
    await (await signIn(node)).publishAsync('t', 'one', { qos: 1 });
    const { client, inbox } = await node.reader({ clientId: 'worker', clean: false });
    clients.push(client);
    await until('the message', () => inbox.length === 1);
    expect((await node.runtime.stats(node.home))['subscriptions']).toBe(0);
  });
});

describeWithNats('A shared subscription on nats', () => {
  refusesShared(() => aNatsNode(NATS_SERVER));
});

describe('A node without a rule for the client', () => {
  tellsAccess(async () => BrokerUnderTest.of(await aNodeSpec({ rules: [] })));
});

describeWithNats('A node of nats without a rule for the client', () => {
  tellsAccess(() => aNatsNode(NATS_SERVER, { rules: [] }));
});

describeWithNats('nats', () => {
  it.each([
    ['QoS 2', 'a', 2, 'client closed: QoS 2 is not served'],
    ['a dot', 'a.b', 1, 'client closed: the topic has a dot or a space'],
    ['a space', 'a b', 0, 'client closed: the topic has a dot or a space'],
  ] as const)('closes the connection for %s, with a line and a count', async (_what, topic, qos, message) => {
    const node = await started(await aNatsNode(NATS_SERVER));
    const client = await signIn(node, { clientId: 'sensor' });
    const closed = closing(client);
    client.publish(topic, 'x', { qos }, () => undefined);
    expect(await closed).toBe('closed');

    expect(await writtenLines(node, message)).toEqual([
      expect.objectContaining({ address: '127.0.0.1', client_id: 'sensor' }),
    ]);
    expect(await node.runtime.stats(node.home)).toMatchObject({ refused_packets: 1 });
  });

  it('drops a publish to a reserved topic, with a line and a count', async () => {
    const node = await started(await aNatsNode(NATS_SERVER));
    const client = await signIn(node, { clientId: 'sensor' });
    for (const topic of ['$SYS/x', '$JS/API/x', '$MQTT/x']) await client.publishAsync(topic, 'x', { qos: 1 });

    expect(await writtenLines(node, 'publish dropped: the topic is reserved')).toHaveLength(1);
    expect(await node.runtime.stats(node.home)).toMatchObject({ refused_packets: 3 });
  });
});

function tellsLarge(make: () => Promise<BrokerUnderTest>): void {
  it('closes the connection for a packet above the limit, with a line and a count', async () => {
    const node = await started(await make());
    const client = await signIn(node, { clientId: 'sensor' });
    const closed = closing(client);
    client.publish('a', Buffer.alloc(2 * 1024 * 1024), { qos: 1 }, () => undefined);
    expect(await closed).toBe('closed');

    expect(await writtenLines(node, 'client closed: the packet is too large')).toHaveLength(1);
    expect(await node.runtime.stats(node.home)).toMatchObject({ refused_packets: 1 });
  });
}

describe('The embedded broker', () => {
  tellsLarge(async () => BrokerUnderTest.of(await aNodeSpec()));

  it.each([
    ['a topic that is too deep', Array.from({ length: 101 }, () => 'a').join('/')],
    ['a reserved topic', '$SYS/x'],
  ])('closes the connection for %s, with a line and a count', async (_what, topic) => {
    const node = await started(await BrokerUnderTest.of(await aNodeSpec()));
    const client = await signIn(node, { clientId: 'sensor' });
    const closed = closing(client);
    client.publish(topic, 'x', { qos: 1 }, () => undefined);
    expect(await closed).toBe('closed');

    expect(await writtenLines(node, 'client closed')).toEqual([
      expect.objectContaining({ client_id: 'sensor', reason: expect.stringMatching(/level|broker/) as string }),
    ]);
    expect(await node.runtime.stats(node.home)).toMatchObject({ refused_packets: 1 });
  });
});

describeWithNats('The gate of nats', () => {
  tellsLarge(() => aNatsNode(NATS_SERVER));
});

describe('A SUBSCRIBE packet', () => {
  const bodyOf = (...filters: string[]): Buffer =>
    Buffer.concat([
      Buffer.from([0, 7]),
      ...filters.map((text) => Buffer.from([0, text.length, ...Buffer.from(text), 1])),
    ]);

  it.each([
    [['$share/g/t'], true],
    [['a', '$share/g/#'], true],
    [['a/$share/b'], false],
    [['$shared/t', 'b$share/'], false],
    [[], false],
  ])('with the filters %j is refused: %s', (filters, isRefused) => {
    expect(refusedByNats(0x82, bodyOf(...filters))).toBe(isRefused ? 'shared subscription refused' : null);
  });

  it('that is cut anywhere is read to its end', () => {
    const body = bodyOf('a', 'b/c');
    for (let end = 0; end <= body.length; end += 1) expect(refusedByNats(0x82, body.subarray(0, end))).toBeNull();
  });
});
