import type { Duplex } from 'node:stream';
import { PacketHeads } from '../clients/packet-heads.js';
import { until } from '../../../test/brokers/embedded.fixture.js';
import { linkedPair } from './linked-pair.js';
import { publishPacket } from './mqtt-packets.js';
import { MqttLink, type ArrivedMessage } from './mqtt-link.js';

const CREDENTIALS = { username: 'admin', password: 'word' };

interface Setup {
  link: MqttLink;
  broker: Duplex;
  /** The packets that the broker got, by their first byte. */
  got: { firstByte: number; body: Buffer }[];
  messages: ArrivedMessage[];
}

const links: MqttLink[] = [];

/** A link to a broker that the test plays. It accepts the connection with this code. */
async function aLink(code: number | null = 0): Promise<Setup> {
  const [near, broker] = linkedPair();
  const [got, messages]: [Setup['got'], ArrivedMessage[]] = [[], []];
  const packets = new PacketHeads(10_000, (firstByte, head) => {
    got.push({ firstByte, body: Buffer.from(head) });
    if (firstByte === 0x10 && code !== null) broker.write(Buffer.from([0x20, 2, 0, code]));
  });
  broker.on('data', (chunk: Buffer) => packets.read(chunk));
  const link = new MqttLink(near, {
    credentials: CREDENTIALS,
    keepAliveSeconds: 60,
    accepts: () => true,
    onMessage: (message) => messages.push(message),
  });
  links.push(link);
  return { link, broker, got, messages };
}

afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

describe('The MQTT client of the page', () => {
  it('connects with the credentials and a clean session', async () => {
    const { link, got } = await aLink();

    await link.connect();

    const body = got[0]?.body ?? Buffer.alloc(0);
    expect(body.subarray(0, 10)).toEqual(Buffer.from([0, 4, 77, 81, 84, 84, 4, 0b1100_0010, 0, 60]));
    const texts = [link.clientId, 'admin', 'word'].map((text) =>
      Buffer.from(`\0${String.fromCharCode(text.length)}${text}`),
    );
    expect(body.subarray(10)).toEqual(Buffer.concat(texts));
    expect(link.clientId).toMatch(/^browser-[0-9a-f]{12}$/);
  });

  it('rejects when the broker refuses the connection, and when it closes the connection', async () => {
    const refused = await aLink(5);
    await expect(refused.link.connect()).rejects.toThrow('the broker refused the connection');
    const closed = await aLink(null);
    const connecting = closed.link.connect();
    closed.broker.destroy();

    await expect(connecting).rejects.toThrow('the broker closed the connection');
    await expect(closed.link.publish({ topic: 'a', payload: Buffer.alloc(0), qos: 0, retain: false })).rejects.toThrow(
      'the broker closed the connection',
    );
  });

  it('acknowledges messages with QoS 1 and 2, as the broker requires', async () => {
    const { link, broker, got, messages } = await aLink();
    await link.connect();

    broker.write(Buffer.from([0x33, 6, 0, 1, 97, 0, 7, 120]));
    broker.write(Buffer.from([0x34, 6, 0, 1, 98, 0, 8, 121]));
    broker.write(Buffer.from([0x62, 2, 0, 8]));

    await until('the acknowledgements', () => got.length === 4);
    expect(got.slice(1)).toEqual([
      { firstByte: 0x40, body: Buffer.from([0, 7]) },
      { firstByte: 0x50, body: Buffer.from([0, 8]) },
      { firstByte: 0x70, body: Buffer.from([0, 8]) },
    ]);
    expect(messages).toMatchObject([
      { topic: 'a', payload: 'x', qos: 1, retain: true },
      { topic: 'b', payload: 'y', qos: 2, retain: false },
    ]);
  });

  it('shows the start of a large message, and of a topic above the limit', async () => {
    const { link, broker, messages } = await aLink();
    await link.connect();
    const payload = Buffer.alloc(2_000_000, 'x');

    broker.write(publishPacket(1, { topic: 'a', payload, qos: 0, retain: false }));
    broker.write(publishPacket(2, { topic: 't'.repeat(20_000), payload, qos: 0, retain: false }));

    await until('both messages', () => messages.length === 2);
    expect(messages[0]).toMatchObject({ topic: 'a', payload: 'x'.repeat(4096), bytes: 2_000_000 });
    expect(messages[1]?.topic).toHaveLength(8_190);
    expect(messages[1]).toMatchObject({ payload: '', bytes: 2_000_000, is_truncated: true });
  });

  it('rejects a refused subscription, and more than 100 requests without an answer', async () => {
    const { link, broker, got } = await aLink();
    await link.connect();
    const subscribing = link.subscribe('a');
    await until('the request', () => got.length === 2);
    broker.write(Buffer.from([0x90, 3, 0, 1, 0x80]));
    await expect(subscribing).rejects.toThrow('the broker refused the subscription');

    const waiting = Array.from({ length: 100 }, () => link.unsubscribe('a').catch(() => undefined));
    await expect(link.subscribe('b')).rejects.toThrow('the broker is busy');

    broker.destroy();
    await Promise.all(waiting);
  });

  it('stores at most 1 MiB for a broker that does not read', async () => {
    const { link, broker } = await aLink();
    await link.connect();
    broker.pause();
    const message = { topic: 'a', payload: Buffer.alloc(64 * 1024), qos: 0, retain: false } as const;
    let sent = 0;
    const flood = async (): Promise<void> => {
      for (; sent < 1_000; sent += 1) await link.publish(message);
    };

    await expect(flood()).rejects.toThrow('the broker is busy');

    expect(sent).toBeLessThan(25);
  });
});
