import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { dialGuarded } from '@libs/outbound';
import { FakeMongodb } from '../../../../test/brokers/fake-mongodb.fixture.js';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import { GuardedRelay, type Dial } from './guarded-relay.js';
import { mongodbAddress } from './mongodb-address.js';
import { MongodbSink } from './mongodb-sink.js';

let fake: FakeMongodb;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  fake = await FakeMongodb.start();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await fake.stop();
});

function aSink(options: Record<string, unknown> = {}, dial?: Dial, allowPrivate = true): SinkUnderTest {
  const values = {
    connection_uri: `mongodb://127.0.0.1:${fake.port}/`,
    database: 'shop',
    collection: 'events',
    ...options,
  };
  const sink = new MongodbSink(new PluginOptions(values), { ...A_CONTEXT, allowPrivate }, dial);
  ends.push(() => sink.close());
  return new SinkUnderTest(sink);
}

describe('the MongoDB sink', () => {
  it('adds each message as a document with its id, once', async () => {
    const sink = aSink({ payload_format: 'json', include_checksum: false });
    await sink.plugin.open();

    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }));
    await sink.deliver(aMessage('b', { n: 2 }), aMessage('c', { n: 3 }));

    expect(fake.documents.map(({ _id, topic, payload }) => [_id, topic, (payload as { n: number }).n])).toEqual([
      ['a', 'numbers', 1],
      ['b', 'numbers', 2],
      ['c', 'numbers', 3],
    ]);
    expect([sink.taken, sink.refused]).toEqual([['a', 'b', 'b', 'c'], {}]);
  });

  it('refuses only documents that the server refuses, and payloads that cannot be mapped', async () => {
    fake.refuses = ({ payload }) =>
      (payload as { n: number }).n === 2 ? { code: 121, errmsg: 'Document failed validation' } : null;
    const sink = aSink({ payload_format: 'json' });
    await sink.plugin.open();

    await sink.deliver(
      aMessage('a', { n: 1 }),
      aMessage('x', 'no json'),
      aMessage('b', { n: 2 }),
      aMessage('c', { n: 3 }),
    );

    expect(sink.taken).toEqual(['a', 'c']);
    expect(sink.refused).toEqual({ x: 'the payload is not JSON', b: 'error 121: Document failed validation' });
  });

  it('fails as a whole when the collection is missing, or the user may not write', async () => {
    await expect(aSink({ collection: 'other' }).plugin.open()).rejects.toThrow('the collection other does not exist');
    await aSink({ collection: 'other', auto_create_collection: true }).plugin.open();
    expect([...fake.collections]).toContain('other');

    const sink = aSink();
    await sink.plugin.open();
    fake.failure = { code: 13, errmsg: 'not authorized on shop to execute command' };
    await expect(sink.deliver(aMessage('a', {}))).rejects.toThrow('not authorized');
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });

  it('reaches no member that a server announces at a private address', async () => {
    const victim: Server = createServer();
    let reached = 0;
    victim.on('connection', () => (reached += 1));
    victim.listen(0, '127.0.0.1');
    await once(victim, 'listening');
    ends.push(() => new Promise((resolve) => victim.close(resolve)));
    const { port } = victim.address() as AddressInfo;
    fake.hosts = [`127.0.0.1:${port}`, '127.0.0.1:5432'];
    const dialled: string[] = [];
    // The first host stands for a server on the internet. Every other host takes the way of production.
    const dial: Dial = async (target, policy, timeoutMs) => {
      dialled.push(`${target.host}:${target.port}`);
      return target.host === 'db.example.com'
        ? opened(connect(fake.port, '127.0.0.1'))
        : dialGuarded(target, policy, timeoutMs);
    };
    const uri = 'mongodb://db.example.com:27017/?replicaSet=rs&serverSelectionTimeoutMS=600';
    const sink = aSink({ connection_uri: uri }, dial, false);

    await expect(sink.plugin.open()).rejects.toThrow(/not an address on the internet|Server selection timed out/);

    expect(dialled).toEqual(expect.arrayContaining(['db.example.com:27017', `127.0.0.1:${port}`, '127.0.0.1:5432']));
    expect(reached).toBe(0);
  });

  it('sends hosts of SRV records through the dialer', async () => {
    const names = createSocket('udp4');
    names.on('message', (query, { port, address }) =>
      names.send(srvAnswer(query, 'db.cluster.example.com', 5432), port, address),
    );
    names.bind(0, '127.0.0.1');
    await once(names, 'listening');
    const before = getServers();
    setServers([`127.0.0.1:${names.address().port}`]);
    ends.push(async () => {
      setServers(before);
      names.close();
    });
    const dialled: string[] = [];
    const dial: Dial = (target, policy, timeoutMs) => {
      dialled.push(`${target.host}:${target.port}`);
      return dialGuarded(target, { ...policy, resolve: async () => ['127.0.0.1'] }, timeoutMs);
    };
    const uri = 'mongodb+srv://cluster.example.com/?serverSelectionTimeoutMS=600&tls=false';

    await expect(aSink({ connection_uri: uri }, dial, false).plugin.open()).rejects.toThrow(
      /not an address on the internet/,
    );
    expect(new Set(dialled)).toEqual(new Set(['db.cluster.example.com:5432']));
  });

  it('reaches no private address itself', async () => {
    const uri = `mongodb://127.0.0.1:${fake.port}/?serverSelectionTimeoutMS=600`;
    await expect(aSink({ connection_uri: uri }, dialGuarded, false).plugin.open()).rejects.toThrow(
      /not an address on the internet/,
    );
  });
});

/** A DNS answer with one SRV record, or without records for a query of another type. */
function srvAnswer(query: Buffer, host: string, port: number): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isSrv = query.readUInt16BE(end - 4) === 33;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  [1, isSrv ? 1 : 0, 0, 0].forEach((count, index) => head.writeUInt16BE(count, 4 + 2 * index));
  if (!isSrv) return head;
  const target = Buffer.concat([
    ...host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.alloc(1),
  ]);
  const record = Buffer.from([
    0xc0,
    12,
    0,
    33,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    6 + target.length,
    0,
    0,
    0,
    0,
    port >> 8,
    port & 255,
  ]);
  return Buffer.concat([head, record, target]);
}

const opened = async (socket: Socket): Promise<Socket> => {
  await once(socket, 'connect');
  return socket;
};

describe('the relay of the MongoDB sink', () => {
  it('serves only clients with its password', async () => {
    const dial: Dial = async () => opened(connect(fake.port, '127.0.0.1'));
    const relay = await GuardedRelay.start({ allowPrivate: true }, dial);
    ends.push(async () => relay.close());
    const said = async (...parts: Buffer[]): Promise<string> => {
      const socket = connect(relay.port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString('hex')));
      for (const part of parts) socket.write(part);
      await once(socket, 'close');
      return text;
    };
    const password = (word: string): Buffer =>
      Buffer.concat([Buffer.from([1, 8]), Buffer.from('landlord'), Buffer.from([word.length]), Buffer.from(word)]);

    expect(await said(Buffer.from([5, 1, 0]))).toBe('05040001000000000000');
    expect(await said(Buffer.from([5, 1, 2]), password('guess'))).toBe('0502' + '0101' + '05040001000000000000');
  });
});

describe('the connection string of MongoDB', () => {
  it.each([
    ['mongodb://%2Ftmp%2Fmongodb-27017.sock/db', /Unix sockets/],
    ['mongodb://u:p@a.example.com,%2Ftmp%2Fx.sock/db', /Unix sockets/],
    ['mongodb://u:p@db/?tlsCAFile=/etc/passwd', /option tlsCAFile/],
    ['mongodb://u:p@db/?tlsCertificateKeyFile=/etc/passwd', /option tlsCertificateKeyFile/],
    ['mongodb://db/?authMechanism=MONGODB-AWS', /authMechanism/],
    ['mongodb://db/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:azure', /not supported/],
    ['mongodb://db/?proxyHost=10.0.0.1', /option proxyHost/],
    ['http://db/', /must be an address/],
  ])('is refused: %s', (text, reason) => {
    expect(() => mongodbAddress(text)).toThrow(reason);
  });

  it.each([
    'mongodb://u:p@a.example.com:27017,b.example.com/db?replicaSet=rs&tls=true',
    'mongodb+srv://u:p@c.example.com/',
  ])('is accepted: %s', (text) => {
    expect(mongodbAddress(text)).toBe(text);
  });
});
