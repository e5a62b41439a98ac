import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { connectAsync, type MqttClient } from 'mqtt';
import { inboxOf, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { aNatsCluster } from '../../../test/brokers/nats.fixture.js';

/** The longest time without an acknowledgement, in milliseconds. An election without a step-down took eleven seconds. */
const LONGEST_MS = 3_000;
const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

/** A client that tries the nodes in turn, this one first. */
async function aClientOf(nodes: readonly BrokerUnderTest[], first: number, clientId: string): Promise<MqttClient> {
  const inTurn = [...nodes.slice(first), ...nodes.slice(0, first)];
  const servers = inTurn.map(({ spec }) => ({
    ...{ host: spec.listen.address, port: spec.listen.ports.tcp ?? 0, protocol: 'mqtt' as const },
  }));
  const { username, password } = inTurn[0]?.spec.credentials ?? { username: '', password: '' };
  const options = { username, password, clientId, clean: false, reconnectPeriod: 100, connectTimeout: 1_000 };
  const client = await until('a client is in', () => connectAsync({ servers, ...options }).catch(() => null), 30_000);
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

/** Publishes number after number until `stop`. Returns how many, and the longest time for one. */
function publishInOrder(client: MqttClient) {
  let isStopped = false;
  const run = async (): Promise<{ count: number; longestMs: number }> => {
    let [count, longestMs] = [0, 0];
    for (; !isStopped; count += 1) {
      const since = Date.now();
      await client.publishAsync('orders', String(count), { qos: 1 });
      longestMs = Math.max(longestMs, Date.now() - since);
    }
    return { count, longestMs };
  };
  const done = run();
  return { stop: () => ((isStopped = true), done) };
}

describeWithNats('a roll-out over three nodes with nats', () => {
  it('takes no publisher away for longer than three seconds, and loses nothing', async () => {
    const nodes = await aNatsCluster(NATS_SERVER, 3);
    running.push(...nodes);
    await Promise.all(nodes.map((node) => node.start()));
    const [one, three] = [await aClientOf(nodes, 0, 'one'), await aClientOf(nodes, 2, 'three')];
    const inbox = inboxOf(three);
    await three.subscribeAsync('orders', { qos: 1 });
    const publishing = publishInOrder(one);

    for (const node of nodes) {
      await node.runtime.stop(node.home, 10_000);
      await node.start();
    }
    const { count, longestMs } = await publishing.stop();
    console.log(`roll-out of nats: ${count} messages, ${longestMs} ms without an acknowledgement`);

    expect(longestMs).toBeLessThanOrEqual(LONGEST_MS);
    const missing = () => {
      const arrived = new Set(inbox.map(({ text }) => text));
      return Array.from({ length: count }, (_, number) => String(number)).filter((text) => !arrived.has(text));
    };
    await until(
      () => `all messages; missing ${missing().length}`,
      () => missing().length === 0,
      45_000,
    );
  }, 180_000);
});
