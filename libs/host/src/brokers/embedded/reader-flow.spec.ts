import type { MqttClient } from 'mqtt';
import { aNodeSpec, BrokerUnderTest, until } from '../../../test/brokers/embedded.fixture.js';
import { aStalledReader } from '../../../test/brokers/stalled-reader.fixture.js';

/** Together much more than sockets and buffers of the system hold. */
const COUNT = 1_000;
const PAYLOAD_BYTES = 20_000;
/** A reader that holds its topic for the old limit of a minute would be later. */
const PROMPT_MS = 15_000;
const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

async function aBroker(values = {}): Promise<BrokerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec({ values }));
  running.push(broker);
  await broker.start();
  return broker;
}

async function signIn(broker: BrokerUnderTest, options = {}): Promise<MqttClient> {
  const client = await broker.client(options);
  clients.push(client);
  return client;
}

const numberOf = (payload: Buffer | string): number => Number(payload.toString().trimEnd());

function numbersOf(client: MqttClient): number[] {
  const numbers: number[] = [];
  client.on('message', (_topic, payload) => numbers.push(numberOf(payload)));
  return numbers;
}

async function publishAll(writer: MqttClient, topic: string, qos: 0 | 1, from = 0): Promise<void> {
  for (let number = from; number < from + COUNT; number += 1) {
    await writer.publishAsync(topic, String(number).padEnd(PAYLOAD_BYTES), { qos });
  }
}

const ascending = Array.from({ length: COUNT }, (_, number) => number);

describe('A reader that reads nothing', () => {
  it.each([
    { qos: 0, clean: true },
    { qos: 1, clean: true },
    { qos: 1, clean: false },
  ] as const)('holds no message of another reader, with QoS $qos and clean $clean', async ({ qos, clean }) => {
    const broker = await aBroker({ 'mqtt.drain_timeout': 3_600 });
    const socket = await aStalledReader(broker, { topic: 'sl/x', qos, clean });
    const healthy = await signIn(broker);
    const numbers = numbersOf(healthy);
    await healthy.subscribeAsync('sl/x', { qos });

    const writing = publishAll(await signIn(broker), 'sl/x', qos);

    await until(
      () => `all messages: ${numbers.length}`,
      () => numbers.length === COUNT,
      PROMPT_MS,
    );
    await writing;
    expect(numbers).toEqual(ascending);
    const stats = await broker.runtime.stats(broker.home);
    expect(stats).toMatchObject({ slow_consumers: 1 });
    if (qos === 0) expect(stats['dropped_messages']).toBeGreaterThan(0);
    else expect(stats['dropped_messages']).toBe(0);
    socket.destroy();
  });

  it('gets all messages of its session in order when it reads again', async () => {
    const broker = await aBroker({ 'mqtt.drain_timeout': 3_600 });
    const reader = await signIn(broker, { clientId: 'slow', clean: false });
    const numbers = numbersOf(reader);
    await reader.subscribeAsync('sl/x', { qos: 1 });
    reader.stream.pause();

    const writer = await signIn(broker);
    await publishAll(writer, 'sl/x', 1);
    expect(numbers.length).toBeLessThan(COUNT);
    reader.stream.resume();
    await publishAll(writer, 'sl/x', 1, COUNT);

    await until(
      () => `all messages: ${numbers.length}`,
      () => numbers.length >= 2 * COUNT,
      PROMPT_MS,
    );
    expect(numbers).toEqual(Array.from({ length: 2 * COUNT }, (_, number) => number));
  });

  it('is disconnected after five seconds by default', async () => {
    const broker = await aBroker();
    await aStalledReader(broker, { topic: 'sl/x', qos: 0 });
    const writer = await signIn(broker);
    await publishAll(writer, 'sl/x', 0);

    await until(
      'only the writer is left',
      async () => (await broker.runtime.stats(broker.home))['clients'] === 1,
      PROMPT_MS,
    );
  });
});

describe('A session that comes back while others publish', () => {
  it('gets its stored messages first, then the new ones, in order', async () => {
    const broker = await aBroker();
    const before = await signIn(broker, { clientId: 'away', clean: false });
    await before.subscribeAsync('sl/x', { qos: 1 });
    await before.endAsync();
    const writer = await signIn(broker);
    await publishAll(writer, 'sl/x', 1);

    const writing = publishAll(writer, 'sl/x', 1, COUNT);
    const { client, inbox } = await broker.reader({ clientId: 'away', clean: false });
    clients.push(client);
    await writing;

    await until(
      () => `all messages: ${inbox.length}`,
      () => inbox.length >= 2 * COUNT,
      PROMPT_MS,
    );
    expect(inbox).toHaveLength(2 * COUNT);
    expect(inbox.map(({ text }) => numberOf(text))).toEqual(Array.from({ length: 2 * COUNT }, (_, number) => number));
  });
});
