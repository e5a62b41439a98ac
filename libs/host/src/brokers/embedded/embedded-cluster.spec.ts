import { connect } from 'node:net';
import type { MqttClient } from 'mqtt';
import { aCertificate } from '../../../test/brokers/certificates.fixture.js';
import { aNodeSpec, BrokerUnderTest, EVERYONE, inboxOf, until } from '../../../test/brokers/embedded.fixture.js';
import { makeChallenge, readChallenge, sealHello } from './carry-line.js';

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

/** Answers the challenge on the leader's peer port. Returns the leader's next answer. */
function say(port: number, reply: (challenge: string) => string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    socket.once('data', (line) => {
      socket.write(reply(readChallenge(line.toString().trim()) ?? ''));
      socket.on('data', (chunk) => (answer += chunk.toString()));
    });
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
    const counted = await Promise.all(running.map(async ({ runtime, home }) => (await runtime.stats(home))['clients']));
    expect(counted).toEqual([1, 0, 2]);
  });

  it("applies each follower's own rules, and lets the leader check the credentials", async () => {
    const [, second] = await aCluster(2);

    await expect(second!.client({ password: 'wrong' })).rejects.toMatchObject({ code: 5 });
    const live = await track(second!.client());
    const closed = new Promise((resolve) => live.once('close', () => resolve('closed')));
    await second!.setRules([{ ...EVERYONE, cidrs: ['10.0.0.0/8'] }]);

    expect(await closed).toBe('closed');
    await expect(second!.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('cuts clients of a follower when the leader dies, reports it, and serves them again after a restart', async () => {
    const [leader, second] = await aCluster(2);
    const live = await track(second!.client());
    const closed = new Promise((resolve) => live.once('close', () => resolve('closed')));

    await leader.kill();

    expect(await closed).toBe('closed');
    const lost = await until('the follower notices', async () => {
      const contact = await second!.runtime.contact(second!.home);
      return contact?.ready === false ? contact : null;
    });
    expect(lost).toMatchObject({ listening: true, reason: expect.stringContaining('the leader at 127.0.0.1:') });
    await leader.start();
    await second!.ready();
    await track(second!.client());
  });

  it('terminates TLS at the follower, and keeps the follower alive without its leader', async () => {
    const [leader, second] = await aCluster(2);
    const certs = await aCertificate();
    await second!.setCertificate(certs);
    const [tcp, web, plain] = [
      await track(second!.tlsClient(certs.ca)),
      await track(second!.tlsClient(certs.ca, 'websocket')),
      await track(leader.client()),
    ];
    const inbox = inboxOf(plain);
    await plain.subscribeAsync('news', { qos: 1 });

    for (const client of [tcp, web]) await client.publishAsync('news', 'by TLS', { qos: 1 });
    await until('both', () => inbox.length === 2);
    const { pid } = await second!.ready();
    await leader.kill();

    for (const protocol of ['tcp', 'websocket'] as const)
      await expect(second!.tlsClient(certs.ca, protocol)).rejects.toThrow();
    expect(await second!.runtime.contact(second!.home)).toMatchObject({ pid, listening: true });
  });

  it('gives a peer without the secret nothing on the peer port', async () => {
    const [leader] = await aCluster(1);
    const port = leader.spec.listen.peer ?? 0;
    let overheard = '';

    const answers = await Promise.all([
      say(port, (challenge) => `${sealHello('guess', challenge, 'tcp', '127.0.0.1').line}\n`),
      say(port, (challenge) => `${sealHello(SECRET, challenge, 'tcp', '127.0.0.1').line}\nearly bytes`),
      say(port, () => 'x'.repeat(10_000)),
      say(port, () => ''),
    ]);
    const member = await say(port, (challenge) => {
      overheard = `${sealHello(SECRET, challenge, 'probe', '0.0.0.0').line}\n`;
      return overheard;
    });

    expect(answers).toEqual(['', '', '', '']);
    expect(member).toMatch(/^ok /);
    expect(await say(port, () => overheard)).toBe('');
  });

  it('forwards no client to a leader that cannot prove the secret', async () => {
    const { createServer } = await import('node:net');
    let heard = '';
    const impostor = createServer((socket) => {
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        socket.write(`ok ${'0'.repeat(64)}\n`);
      });
      socket.on('error', () => undefined);
      socket.write(`${makeChallenge().line}\n`);
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const leader = { host: '127.0.0.1', port: (impostor.address() as { port: number }).port };
    const follower = await BrokerUnderTest.of(
      await aNodeSpec({ nodeId: 2, cluster: { size: 2, ordinal: 2, leader, secret: SECRET } }),
    );
    running.push(follower);
    await follower.spawn();
    await until('the gate', async () => (await follower.runtime.contact(follower.home))?.listening);

    await expect(follower.client()).rejects.toThrow();

    expect(heard).not.toContain('correct horse');
    await new Promise((resolve) => impostor.close(resolve));
  });
});
