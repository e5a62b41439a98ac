import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { embeddedValues } from '@libs/broker-config';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { until } from '../../../test/brokers/embedded.fixture.js';
import { ClientLogins } from '../../gate/logins/client-logins.js';
import { EmbeddedBroker } from './embedded-broker.js';

const LOGIN = { username: 'admin', password: 'secret' };
const SESSION = { clientId: 'session', clean: false };
const TOPIC = 'orders';
const PUBACK = 0x40;
const texts = (name: string): string[] => Array.from({ length: 10 }, (_, index) => `${name}-${index}`);

interface Arrival {
  text: string;
  number: number;
}

/** aedes begins the numbers of the messages of each connection at random. Here each connection begins at the same number. */
describe('The numbers of messages in a session of the embedded broker', () => {
  let directory: string;
  let broker: EmbeddedBroker;
  let server: Server;
  beforeEach(async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    directory = await mkdtemp(join(tmpdir(), 'landlord-numbers-'));
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(directory, { recursive: true });
    jest.restoreAllMocks();
  });

  async function start(): Promise<void> {
    const config = { node_id: 1, data_dir: directory, storage_mib: 1_024 };
    broker = new EmbeddedBroker(config, embeddedValues({}), new ClientLogins({ ...LOGIN, previous: null }), null);
    await broker.start((error) => expect(error).toBeNull());
    server = createServer((socket) => broker.accept(socket, null));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  async function stop(): Promise<void> {
    await broker.stop();
    await new Promise((resolve) => server.close(resolve));
  }

  const connect = (options: IClientOptions = {}): MqttClient =>
    mqtt.connect(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      ...{ ...LOGIN, ...options, reconnectPeriod: 0 },
    });

  async function publish(...all: string[]): Promise<void> {
    const writer = connect({ clientId: 'writer' });
    for (const text of all) await writer.publishAsync(TOPIC, text, { qos: 1 });
    await writer.endAsync();
  }

  /** The session. It acknowledges only what the test acknowledges. */
  function open(): { client: MqttClient; arrivals: Arrival[] } {
    const client = connect(SESSION);
    const arrivals: Arrival[] = [];
    client.on('packetreceive', (packet) => {
      if (packet.cmd !== 'publish') return;
      arrivals.push({ text: String(packet.payload), number: packet.messageId ?? 0 });
      // The library would acknowledge it.
      packet.qos = 0;
    });
    return { client, arrivals };
  }

  async function acknowledge(client: MqttClient, arrivals: readonly Arrival[]): Promise<void> {
    for (const { number } of arrivals) client.stream.write(Buffer.from([PUBACK, 2, number >> 8, number & 0xff]));
    // The broker handles the packets of a connection in order.
    await client.publishAsync('after', 'the acknowledgements', { qos: 1 });
  }

  async function leave(client: MqttClient): Promise<void> {
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    client.end(true);
    await closed;
  }

  it.each([
    ['the next connection', async () => undefined],
    [
      'the next connection after a restart of the broker',
      async () => {
        await stop();
        await start();
      },
    ],
  ])('are not given twice while a message waits for its acknowledgement: in %s', async (_when, between) => {
    const first = open();
    await first.client.subscribeAsync(TOPIC, { qos: 1 });
    await publish(...texts('a'));
    await until('the first messages', () => first.arrivals.length === 10);
    await leave(first.client);
    await between();

    const second = open();
    await until('the first messages again', () => second.arrivals.length === 10);
    await publish(...texts('b'));
    await until('the second messages', () => second.arrivals.length === 20);
    expect(new Set(second.arrivals.map(({ number }) => number)).size).toBe(20);
    // MQTT-4.4.0-1: a repeated message has its first number.
    expect(second.arrivals.slice(0, 10)).toEqual(first.arrivals);
    await acknowledge(second.client, second.arrivals.slice(0, 10));
    await leave(second.client);

    const third = open();
    await until('the messages without acknowledgement', () => third.arrivals.length === 10);
    expect(third.arrivals.map(({ text }) => text)).toEqual(texts('b'));
    await leave(third.client);
  });
});
