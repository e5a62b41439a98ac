import { connect, type Socket } from 'node:net';
import { PASSWORD, until, type BrokerUnderTest } from './embedded.fixture.js';

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([value.length >> 8, value.length & 0xff]), Buffer.from(value)]);

/** A packet of MQTT with a body below 128 bytes. */
const packet = (type: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([type, body.length]), body]);
};

/** A raw client that signs in and subscribes, and then reads nothing. */
export async function aStalledReader(
  broker: BrokerUnderTest,
  { topic, qos, clean = true, keepalive = 0 }: { topic: string; qos: number; clean?: boolean; keepalive?: number },
): Promise<Socket> {
  const socket = connect(broker.spec.listen.ports.tcp ?? 0, '127.0.0.1').on('error', () => undefined);
  const flags = Buffer.from([4, 0xc0 + (clean ? 2 : 0), 0, keepalive]);
  socket.write(packet(0x10, text('MQTT'), flags, text('stalled'), text('admin'), text(PASSWORD)));
  socket.write(packet(0x82, Buffer.from([0, 1]), text(topic), Buffer.from([qos])));
  // The CONNACK and the SUBACK.
  await until('it is subscribed', () => socket.bytesRead >= 9 || (socket.read(), false));
  socket.pause();
  return socket;
}
