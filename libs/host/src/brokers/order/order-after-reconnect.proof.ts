import { randomInt } from 'node:crypto';
import { jest } from '@jest/globals';
import { describeWithNats, NATS_SERVER, SeededRandom } from '@libs/testing';
import { aNodeSpec, BrokerUnderTest, until } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { StrictPublisher, StrictReader } from '../../../test/brokers/strict-client.fixture.js';

const MESSAGES = 4_000;
/** A start of the broker takes a second. */
const MOST_CUTS = 40;
const ALL_MS = 180_000;
jest.setTimeout(240_000);

type Cut = 'the publisher' | 'the reader' | 'both' | 'the broker';

/** The first arrivals that came after a later message. */
const overtaken = (numbers: readonly number[]): number[] =>
  numbers.filter((number, index) => index > 0 && number < (numbers[index - 1] ?? 0));

/** Cuts at random moments until every message has arrived. */
async function figuresOf(broker: BrokerUnderTest, qos: 1 | 2, cut: Cut) {
  const seed = randomInt(2 ** 31);
  const random = new SeededRandom(seed);
  const port = broker.spec.listen.ports.tcp ?? 0;
  const topic = `order/${qos}`;
  const reader = new StrictReader(port, `reader-${qos}`, topic, qos);
  await until('the reader has subscribed', () => reader.isSubscribed);
  const publisher = new StrictPublisher(port, `publisher-${qos}`, topic, qos, MESSAGES);
  let cuts = 0;
  const breakOnce = async (): Promise<void> => {
    cuts += 1;
    if (cut === 'the broker') {
      await broker.kill();
      await broker.start();
    }
    if (cut === 'the publisher' || cut === 'both') publisher.cut();
    if (cut === 'the reader' || cut === 'both') reader.cut();
  };
  try {
    const end = Date.now() + ALL_MS;
    while (reader.numbers.length < MESSAGES || publisher.acknowledged < MESSAGES) {
      if (Date.now() > end)
        throw new Error(`${publisher.acknowledged} acknowledged, ${reader.numbers.length} arrived, seed ${seed}`);
      await new Promise((wake) => setTimeout(wake, random.between(30, 150)));
      if (publisher.acknowledged < MESSAGES && cuts < MOST_CUTS) await breakOnce();
    }
    const figures = { qos, cut, seed, cuts, doubled: reader.doubled, overtaken: overtaken(reader.numbers) };
    console.log(JSON.stringify(figures));
    return figures;
  } finally {
    publisher.stop();
    reader.stop();
  }
}

describe('The order of messages on the embedded broker', () => {
  it.each<[1 | 2, Cut]>([
    [1, 'the publisher'],
    [2, 'the publisher'],
    [1, 'the reader'],
    [2, 'the reader'],
    [1, 'both'],
    [2, 'both'],
    [1, 'the broker'],
    [2, 'the broker'],
  ])('stays that of a strict publisher of QoS %i while %s is cut', async (qos, cut) => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    await broker.start();
    try {
      const { overtaken, doubled } = await figuresOf(broker, qos, cut);
      expect(overtaken).toEqual([]);
      if (qos === 2) expect(doubled).toBe(0);
    } finally {
      await broker.destroy();
    }
  });
});

describeWithNats('The order of messages on nats', () => {
  // What a reader has not acknowledged when its connection ends comes after `mqtt.ack_wait`, and later messages before it.
  it('stays that of a strict publisher of QoS 1 while the publisher is cut', async () => {
    const broker = await aNatsNode(NATS_SERVER);
    await broker.start();
    try {
      expect((await figuresOf(broker, 1, 'the publisher')).overtaken).toEqual([]);
    } finally {
      await broker.destroy();
    }
  });
});
