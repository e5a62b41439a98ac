import { aNodeSpec, BrokerUnderTest, inboxOf, until } from '../../../test/brokers/embedded.fixture.js';

const running: BrokerUnderTest[] = [];

async function aBroker(): Promise<BrokerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec());
  running.push(broker);
  await broker.start();
  return broker;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

const REFUSED = ['$SYS/x', '$SYS/', '$SYS/a/heartbeat', 'a\0', '\0', 'a\0/b'];
const ACCEPTED = ['$sys/x', '$SYSTEM/x', '$dollar', '$/x', '$', 'a/$SYS/x', 'SYS/x'];

describe('The topics of the embedded broker', () => {
  it('closes a publisher to a topic of the broker or with a null character, and delivers no message', async () => {
    const broker = await aBroker();
    const reader = await broker.client();
    const inbox = inboxOf(reader);
    await reader.subscribeAsync(['#', '$SYS/#']);

    for (const topic of REFUSED) {
      const client = await broker.client({ reconnectPeriod: 0 });
      const closed = new Promise((resolve) => client.once('close', () => resolve('closed')));
      client.publish(topic, 'hostile', { qos: 1, retain: true });
      expect([topic, await closed]).toEqual([topic, 'closed']);
      await client.endAsync(true);
    }
    await reader.publishAsync('end', 'end', { qos: 1 });

    await until('the last message', () => inbox.some(({ text }) => text === 'end'));
    expect(inbox.filter(({ text }) => text === 'hostile')).toEqual([]);
    await reader.endAsync();
  });

  it('refuses a client with such a will, and publishes no will', async () => {
    const broker = await aBroker();
    const reader = await broker.client();
    const inbox = inboxOf(reader);
    await reader.subscribeAsync(['#', '$SYS/#']);

    for (const topic of REFUSED) {
      const will = { topic, payload: Buffer.from('hostile'), qos: 1 as const, retain: true };
      const error: unknown = await broker.client({ will, reconnectPeriod: 0 }).catch((refusal: unknown) => refusal);
      expect([topic, error]).toEqual([topic, expect.any(Error)]);
    }
    await reader.publishAsync('end', 'end', { qos: 1 });

    await until('the last message', () => inbox.some(({ text }) => text === 'end'));
    expect(inbox.filter(({ text }) => text === 'hostile')).toEqual([]);
    await reader.endAsync();
  });

  it('are all others, also those that begin with $, for messages and for wills', async () => {
    const broker = await aBroker();
    const reader = await broker.client();
    const inbox = inboxOf(reader);
    await reader.subscribeAsync(ACCEPTED.filter((topic) => topic.startsWith('$')));
    await reader.subscribeAsync('#');

    for (const topic of ACCEPTED) {
      const will = { topic, payload: Buffer.from(`will ${topic}`), qos: 1 as const, retain: false };
      const client = await broker.client({ will, reconnectPeriod: 0 });
      await client.publishAsync(topic, `message ${topic}`, { qos: 1 });
      client.stream.destroy();
    }

    const texts = ACCEPTED.flatMap((topic) => [`message ${topic}`, `will ${topic}`]);
    await until('all messages and wills', () => texts.every((text) => inbox.some((message) => message.text === text)));
    await reader.endAsync();
  });
});
