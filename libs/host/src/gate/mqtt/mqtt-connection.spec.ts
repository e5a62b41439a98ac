import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { MqttConnection } from './mqtt-connection.js';
import { PublishRate } from '../rate/publish-rate.js';
import { Traffic } from '../traffic.js';

const PUBLISH_BYTES = 10_000;
const DISCONNECT = Buffer.from([0xe0, 0]);

const aPublish = (): Buffer => {
  const body = PUBLISH_BYTES - 3;
  return Buffer.concat([Buffer.from([0x30, (body & 0x7f) | 0x80, body >> 7]), Buffer.alloc(body)]);
};

/** A client socket and the gate's side of the connection. */
async function aConnection(rate: PublishRate | null) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => client.destroy());
  const [transport] = await accepted;
  const traffic = new Traffic();
  const connection = new MqttConnection(transport, 1_000_000, traffic, null, rate);
  connection.on('error', () => connection.destroy());
  return { client, connection, traffic, close: () => (client.destroy(), server.close()) };
}

async function readAll(connection: MqttConnection): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of connection) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('MqttConnection under a rate', () => {
  it('delivers all packets that a client sent before it closed, also packets that wait for the rate', async () => {
    const { client, connection, traffic, close } = await aConnection(new PublishRate(200_000));
    const sent = Buffer.concat([...Array.from({ length: 20 }, aPublish), DISCONNECT]);
    const startedAt = performance.now();

    client.end(sent);
    // Answers of the broker to a client that no longer reads.
    const answers = setInterval(() => connection.writable && connection.write(DISCONNECT), 20);
    const received = await readAll(connection);
    clearInterval(answers);

    expect(received.equals(sent)).toBe(true);
    expect(traffic.bytesReceived).toBe(sent.length);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
    close();
  });

  it('does not read the socket while PUBLISH packets wait', async () => {
    const { client, connection, traffic, close } = await aConnection(new PublishRate(10_000));
    connection.resume();
    const flood = Buffer.concat(Array.from({ length: 1_000 }, aPublish));

    for (let count = 0; count < 10; count += 1) client.write(flood);
    while (traffic.bytesReceived < 10_000) await new Promise((wake) => setTimeout(wake, 20));

    expect(client.writableLength).toBeGreaterThan(50_000_000);
    expect(connection.readableLength).toBeLessThan(100_000);
    close();
  });

  it('drops the packets that wait for the rate when the connection is cut', async () => {
    const { client, connection, traffic, close } = await aConnection(new PublishRate(10_000));
    connection.resume();
    client.write(Buffer.concat(Array.from({ length: 5 }, aPublish)));
    while (traffic.bytesReceived === 0) await new Promise((wake) => setTimeout(wake, 5));

    const closed = new Promise((resolve) => connection.once('close', resolve));
    client.resetAndDestroy();
    await closed;

    expect(traffic.bytesReceived).toBeLessThan(50_000);
    close();
  });
});
