import { PassThrough } from 'node:stream';
import { connectPacket, publishPacket } from '../ui/mqtt-packets.js';
import { ClientList } from './client-list.js';
import { clientIdOf, type ClientOrigin } from './client-session.js';
import { TopicCounts } from './topic-counts.js';

const ORIGIN: ClientOrigin = { address: '10.1.2.3', protocol: 'tcp', tls: false };
const ACCEPTED = Buffer.from([0x20, 2, 0, 0]);
const connect = (clientId: string): Buffer =>
  connectPacket({ clientId, username: 'u', password: 'p', keepAliveSeconds: 60 });
const message = (topic: string): Buffer =>
  publishPacket(1, { topic, payload: Buffer.from('x'), qos: 0, retain: false });

describe('The list of clients', () => {
  it('contains a client from its acceptance by the broker to the end of its connection', async () => {
    const list = new ClientList(null);
    const transport = new PassThrough();
    const observer = list.add(ORIGIN, transport);
    observer.received(connect('sensor'));
    expect(list.size).toBe(0);

    for (const byte of ACCEPTED) observer.sent(Buffer.from([byte]));

    expect(list.slice(0, 10)).toEqual([
      { ...ORIGIN, id: expect.stringMatching(/^[\w-]{12}$/), client_id: 'sensor', since: expect.stringMatching(/Z$/) },
    ]);
    transport.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(list.size).toBe(0);
  });

  it('does not contain a client that the broker refuses', () => {
    const list = new ClientList(null);
    const observer = list.add(ORIGIN, new PassThrough());
    observer.received(connect('wrong password'));
    observer.sent(Buffer.from([0x20, 2, 0, 4]));

    expect(list.size).toBe(0);
  });

  it('returns a part of the clients, oldest first, and closes the connection of one', () => {
    const list = new ClientList(null);
    const transports = ['a', 'b', 'c'].map((id) => {
      const transport = new PassThrough();
      const observer = list.add(ORIGIN, transport);
      observer.received(connect(id));
      observer.sent(ACCEPTED);
      return transport;
    });

    const [second] = list.slice(1, 1);

    expect(second?.client_id).toBe('b');
    expect(list.disconnect(second?.id ?? '')).toBe(true);
    expect(transports.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
    expect(list.disconnect('another')).toBe(false);
  });

  it('counts the topics of accepted clients only', () => {
    const topics = new TopicCounts();
    const observer = new ClientList(topics).add(ORIGIN, new PassThrough());
    observer.received(Buffer.concat([connect('a'), message('too/early')]));
    observer.sent(ACCEPTED);
    const stream = Buffer.concat([message('a/b'), message('a/b'), message('ü')]);
    for (const byte of stream) observer.received(Buffer.from([byte]));

    expect([...topics.entries()]).toEqual([
      ['a/b', 2],
      ['ü', 1],
    ]);
  });
});

describe('The client id in CONNECT', () => {
  const body = (packet: Buffer): Buffer => packet.subarray(2);

  it('is read with MQTT 3.1.1 and with MQTT 5', () => {
    const five = Buffer.from([0, 4, 77, 81, 84, 84, 5, 2, 0, 60, 3, 0x21, 0, 9, 0, 2, 104, 105]);

    expect(clientIdOf(body(connect('sensor-1')))).toBe('sensor-1');
    expect(clientIdOf(five)).toBe('hi');
  });

  it('is cut after 256 bytes, and empty in a malformed packet', () => {
    const long = Buffer.concat([Buffer.from([0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0xff, 0xff]), Buffer.alloc(500, 'i')]);

    expect(clientIdOf(long)).toBe('i'.repeat(256));
    for (const bytes of [[], [0], [0xff, 0xff], [0, 4, 77, 81, 84, 84, 5, 2, 0, 60, 0xff, 0xff, 0xff, 0xff, 0xff]])
      expect(clientIdOf(Buffer.from(bytes))).toBe('');
  });
});

describe('The counts of topics', () => {
  it('list at most 10,000 topics of at most 512 bytes, and count the messages on others', () => {
    const topics = new TopicCounts();
    topics.add('x'.repeat(513));
    for (let index = 0; index < 10_010; index += 1) topics.add(`t/${index}`);
    topics.add('t/1');
    topics.note('later');

    expect([topics.size, topics.uncounted, new Map(topics.entries()).get('t/1')]).toEqual([10_000, 11, 2]);
  });
});
