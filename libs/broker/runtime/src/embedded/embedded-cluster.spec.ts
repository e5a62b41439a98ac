import { connect } from 'node:net';
import type { MqttClient } from 'mqtt';
import { aNodeSpec, BrokerUnderTest, EVERYONE, inboxOf, until } from './embedded.fixture.js';
import { sealHello } from './carry-line.js';

const SECRET = 'cluster secret';
const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

async function aCluster(size: number): Promise<[BrokerUnderTest, ...BrokerUnderTest[]]> {
  const first = await BrokerUnderTest.of(
    await aNodeSpec({ cluster: { size, ordinal: 1, leader: null, secret: SECRET } }),
  );
  const leader = { host: '127.0.0.1', port: first.spec.listen.peer ?? 0 };
  const followers = await Promise.all(
    Array.from({ length: size - 1 }, async (_, index) => {
      const ordinal = index + 2;
      return BrokerUnderTest.of(
        await aNodeSpec({ nodeId: ordinal, cluster: { size, ordinal, leader, secret: SECRET } }),
      );
    }),
  );
  running.push(first, ...followers);
  await Promise.all([first, ...followers].map((broker) => broker.start()));
  return [first, ...followers];
}

async function track(client: Promise<MqttClient>): Promise<MqttClient> {
  clients.push(await client);
  return client;
}

/** What a stranger on the leader's peer port gets for a first line. */
function say(port: number, line: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(line));
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

describe('an embedded cluster of three', () => {
  it('carries a message published on node 1 to clients on node 3, over TCP and WebSocket', async () => {
    const [leader, , third] = await aCluster(3);
    const readers = [await track(third!.client()), await track(third!.client({}, 'websocket'))];
    const inboxes = readers.map(inboxOf);
    await Promise.all(readers.map((reader) => reader.subscribeAsync('news')));
    const writer = await track(leader.client());

    await writer.publishAsync('news', 'hello', { qos: 1 });

    await until('both readers', () => inboxes.every((inbox) => inbox.length === 1));
    expect(inboxes.flat().map(({ text }) => text)).toEqual(['hello', 'hello']);
    expect(await third!.runtime.stats(third!.place)).toMatchObject({ clients: 2 });
    expect(await leader.runtime.stats(leader.place)).toMatchObject({ clients: 3 });
  });

  it('guards each follower by its own rules and passes the credentials check to the leader', async () => {
    const [, second] = await aCluster(2);

    await expect(second!.client({ password: 'wrong' })).rejects.toMatchObject({ code: 4 });
    const live = await track(second!.client());
    const closed = new Promise((resolve) => live.once('close', () => resolve('closed')));
    await second!.setRules([{ ...EVERYONE, cidrs: ['10.0.0.0/8'] }]);

    expect(await closed).toBe('closed');
    await expect(second!.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('cuts clients of a follower when the leader dies, says so, and serves them again when it is back', async () => {
    const [leader, second] = await aCluster(2);
    const live = await track(second!.client());
    const closed = new Promise((resolve) => live.once('close', () => resolve('closed')));

    await leader.kill();

    expect(await closed).toBe('closed');
    const lost = await until('the follower notices', async () => {
      const contact = await second!.runtime.contact(second!.place);
      return contact?.ready === false ? contact : null;
    });
    expect(lost).toMatchObject({ listening: true, reason: expect.stringContaining('the leader at 127.0.0.1:') });
    await leader.start();
    await second!.ready();
    await track(second!.client());
  });

  it('gives a stranger on the peer port nothing', async () => {
    const [leader] = await aCluster(1);
    const port = leader.spec.listen.peer ?? 0;
    const replayed = `${sealHello(SECRET, 'probe', '0.0.0.0', Date.now()).line}\n`;

    const answers = await Promise.all([
      say(port, `${sealHello('guess', 'tcp', '127.0.0.1', Date.now()).line}\n`),
      say(port, `${sealHello(SECRET, 'tcp', '127.0.0.1', Date.now() - 3_600_000).line}\n`),
      say(port, `${sealHello(SECRET, 'tcp', '127.0.0.1', Date.now()).line}\nearly bytes`),
      say(port, 'x'.repeat(10_000)),
      say(port, ''),
    ]);

    expect(answers).toEqual(['', '', '', '', '']);
    expect(await say(port, replayed)).toMatch(/^ok /);
    expect(await say(port, replayed)).toBe('');
  });

  it('does not hand a client to a leader that cannot prove the secret', async () => {
    const { createServer } = await import('node:net');
    let heard = '';
    const impostor = createServer((socket) => {
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        socket.write(`ok ${'0'.repeat(64)}\n`);
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((done) => impostor.listen(0, '127.0.0.1', done));
    const leader = { host: '127.0.0.1', port: (impostor.address() as { port: number }).port };
    const follower = await BrokerUnderTest.of(
      await aNodeSpec({ nodeId: 2, cluster: { size: 2, ordinal: 2, leader, secret: SECRET } }),
    );
    running.push(follower);
    await follower.spawn();
    await until('the gate', async () => (await follower.runtime.contact(follower.place))?.listening);

    await expect(follower.client()).rejects.toThrow();

    expect(heard).not.toContain('correct horse');
    await new Promise((done) => impostor.close(done));
  });
});
