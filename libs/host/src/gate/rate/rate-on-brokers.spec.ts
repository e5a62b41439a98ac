import type { MqttClient } from 'mqtt';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { aNodeSpec, BrokerUnderTest, gateOf, type SpecChanges } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { natsGatePart } from '../../brokers/nats/nats-gate-config.js';

const RATE = 50_000;
const MESSAGE = Buffer.alloc(5_000, 7);
const MESSAGES = 40;
/** 200 KB at 50 KB/s take 4 seconds, less the burst. */
const LEAST_MS = 3_000;

async function publishAll(clients: MqttClient[]): Promise<number> {
  const startedAt = performance.now();
  const each = MESSAGES / clients.length;
  await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: each }, (_, index) => client.publishAsync(`t/${index}`, MESSAGE, { qos: 1 })),
    ),
  );
  return performance.now() - startedAt;
}

describe('a broker under a rate', () => {
  const running: BrokerUnderTest[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((broker) => broker.destroy()));
  });
  const aBroker = async (changes: SpecChanges): Promise<BrokerUnderTest> => {
    const broker = await BrokerUnderTest.of(await aNodeSpec(changes));
    running.push(broker);
    await broker.start();
    return broker;
  };

  it('slows TCP and WebSocket clients together to the rate, while a reader is not delayed', async () => {
    const broker = await aBroker({ rate: RATE });
    const clients = [await broker.client({ keepalive: 2 }), await broker.client({ keepalive: 2 }, 'websocket')];
    const reader = await broker.client();
    let disconnects = 0;
    for (const client of clients) client.on('close', () => (disconnects += 1));

    const publishing = publishAll(clients);
    const before = performance.now();
    for (let count = 0; count < 20; count += 1) await reader.subscribeAsync(`read/${count}`);
    const readerMs = performance.now() - before;
    const { bytes_received: early = 0 } = await broker.runtime.stats(broker.home);
    const elapsedMs = await publishing;

    expect(elapsedMs).toBeGreaterThanOrEqual(LEAST_MS);
    expect(readerMs).toBeLessThan(elapsedMs / 2);
    expect(early).toBeLessThan(MESSAGES * MESSAGE.length);
    expect(disconnects).toBe(0);
    expect(await broker.runtime.stats(broker.home)).toMatchObject({ messages_received: MESSAGES });
    await Promise.all([...clients, reader].map((client) => client.endAsync()));
  });

  it('limits clients of a follower at its leader', async () => {
    const leader = await aBroker({ rate: RATE });
    const { address, peer } = leader.spec.listen;
    const { secret } = leader.spec.cluster;
    const follower = await aBroker({
      nodeId: 2,
      rate: RATE,
      cluster: { size: 2, ordinal: 2, leader: { host: address, port: peer ?? 0 }, secret },
    });
    const client = await follower.client();

    expect(await publishAll([client])).toBeGreaterThanOrEqual(LEAST_MS);
    await client.endAsync();
  });

  it('restarts for another rate, and its file has no rate without one', async () => {
    const { runtime, home, spec } = await BrokerUnderTest.of(await aNodeSpec());
    const gate = gateOf(spec);
    const limited = { ...spec, broker: { ...spec.broker, rate_limit: { bytes_per_second: RATE } } };

    const [without, with_] = [spec, limited].map((one) => runtime.render(home, one, gate));

    expect(without?.content).not.toContain('rate_limit');
    expect(with_?.hash).not.toBe(without?.hash);
  });
});

describe('the gates of nats under a rate', () => {
  it('have equal parts of the rate, and none without a rate', async () => {
    const cluster = { size: 3, ordinal: 1, leader: null, peers: [], secret: 'a' };

    expect(natsGatePart(await aNodeSpec({ rate: RATE, cluster })).rate_limit).toEqual({ bytes_per_second: 16_666 });
    expect(natsGatePart(await aNodeSpec({ rate: RATE })).rate_limit).toEqual({ bytes_per_second: RATE });
    expect(natsGatePart(await aNodeSpec())).not.toHaveProperty('rate_limit');
  });
});

describeWithNats('a node with nats under a rate', () => {
  it('slows a QoS 1 client with 20 in flight, which stays connected', async () => {
    const node = await aNatsNode(NATS_SERVER, { rate: RATE });
    await node.start();
    const client = await node.client({ keepalive: 2 });
    let disconnects = 0;
    client.on('close', () => (disconnects += 1));

    expect(await publishAll([client])).toBeGreaterThanOrEqual(LEAST_MS);

    expect(disconnects).toBe(0);
    await client.endAsync();
    await node.destroy();
  });
});
