import type { MqttClient } from 'mqtt';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { KEY } from '../../../test/brokers/encrypted-data.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { storedStates } from './ack-floors.js';

const TOPIC = 'orders';
/** nats-server looks at sessions in a random order. With this many, a wrong order is nearly certain in three starts. */
const READERS = ['reader-1', 'reader-2', 'reader-3', 'reader-4', 'reader-5', 'reader-6'];
const RESTARTS = 3;
const LAST = 'last';
const TIME_TO_STORE_MS = 60_000;
/** A message that is delivered and not acknowledged comes again after this time. */
const values = { 'mqtt.ack_wait': 2 };
let node: BrokerUnderTest;

/** A session that acknowledges only the first `limit` messages. */
class Session {
  readonly texts: string[] = [];

  private constructor(
    readonly client: MqttClient,
    limit: number,
  ) {
    client.handleMessage = ({ payload }, callback) => {
      this.texts.push(String(payload));
      if (this.texts.length <= limit) callback();
    };
  }

  static async open(clientId: string, limit = Infinity): Promise<Session> {
    return new Session(await node.client({ clientId, clean: false }), limit);
  }

  /** Creates a session that is offline from then on. */
  static async leave(clientId: string): Promise<void> {
    const { client } = await Session.open(clientId);
    await client.subscribeAsync(TOPIC, { qos: 1 });
    await client.endAsync();
  }
}

const publish = async (...texts: string[]): Promise<void> => {
  const client = await node.client({ clientId: 'writer' });
  for (const text of texts) await client.publishAsync(TOPIC, text, { qos: 1 });
  await client.endAsync();
};

/** Waits for these messages of the session, in any order: an unacknowledged message comes again after a while. */
async function expectKept(clientId: string, ...texts: string[]): Promise<void> {
  const { client, inbox } = await node.reader({ clientId, clean: false });
  const received = () => inbox.map(({ text }) => text).sort();
  await until(
    () => `${texts.join(', ')} for ${clientId}, which received ${received().join(', ')}`,
    () => inbox.length >= texts.length,
  );
  expect([clientId, ...received()]).toEqual([clientId, ...texts.sort()]);
  await client.endAsync();
}

/**
 * Waits for the acknowledgements of the readers on the disk. nats-server stores them up to ten times a second, later on a slow
 * disk, and does not always store the last ones when it stops: it then delivers those messages again.
 */
async function expectStored(key: string | null): Promise<void> {
  await until('stored acknowledgements', async () => {
    const states = await storedStates(node.runtime.dataDirectory(node.home), key);
    const done = states.filter((state) => state && state.ackFloor > 0 && state.waiting === 0);
    return done.length === READERS.length && states.some((state) => state?.waiting === 2);
  });
}

afterEach(() => node.destroy());

describeWithNats('sessions of nats-server that are offline during restarts', () => {
  it.each([
    ['in plain data', null],
    ['in encrypted data', KEY],
  ])('keep every message that they have not acknowledged, %s', async (_title, key) => {
    node = await aNatsNode(NATS_SERVER, { values, ...(key !== null && { key }) });
    await node.start();
    await Session.leave('before-all');
    const readers = await Promise.all(READERS.map((id) => Session.open(id)));
    const half = await Session.open('half', 1);
    for (const { client } of [...readers, half]) await client.subscribeAsync(TOPIC, { qos: 1 });
    await publish('1', '2', '3');
    await until('three messages each', () => readers.every(({ texts }) => texts.length === 3));
    await until('the first messages', () => half.texts.length >= 2);
    await Session.leave('before-last');
    for (const { client } of readers) await client.endAsync();
    await half.client.endAsync(true);
    await publish('4');
    await expectStored(key);

    for (let restart = 0; restart < RESTARTS; restart++) {
      // A server that is killed has not stored every acknowledgement, and delivers those messages again.
      await node.runtime.stop(node.home, TIME_TO_STORE_MS);
      await node.start();
    }
    await publish(LAST);

    await expectKept('before-all', '1', '2', '3', '4', LAST);
    await expectKept('before-last', '4', LAST);
    await expectKept('half', '2', '3', '4', LAST);
    for (const id of READERS) await expectKept(id, '4', LAST);
  });
});
