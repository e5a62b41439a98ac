import { connect, type Socket } from 'node:net';
import { limitsOfGate } from '@libs/domain/admission';
import { describeWithHaProxy, describeWithNats, HaProxy, NATS_SERVER } from '@libs/testing';
import { aNodeSpec, BrokerUnderTest, inboxOf, until } from '../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../test/brokers/nats.fixture.js';
import { aProxyHeader } from '../../test/brokers/proxy-headers.fixture.js';
import { PROXY_ADDRESS, PROXY_RANGE } from '../../test/brokers/proxy-server.fixture.js';

const { unknown, reserve, ofNetwork } = limitsOfGate(1_000, 30_000);
/** More than all places before sign-in, and more than the 1,000 clients and their spare sockets of the releases before. */
const CONNECTIONS = 1_200;
const NETWORKS = 8;
const AT_ONCE = 100;
const CLIENTS = 5;
/** Nothing, the first byte of a CONNECT, and a part of a request for the page. */
const FIRST_BYTES = ['', '\u0010', 'GET / HTTP/1.1\r\nhost: x\r\n'];

const open: Socket[] = [];

/** A connection that never signs in. Resolves when it is connected. */
function silent(port: number, localAddress: string, first: string | Buffer): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket);
    socket.on('error', () => undefined).resume();
    socket.once('close', () => resolve(socket));
    socket.once('connect', () => socket.write(first, () => resolve(socket)));
  });
}

/** Opens all connections, a few at a time, so that no queue of the kernel decides. */
async function flood(count: number, one: (index: number) => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, (_, at) =>
      one(sockets.length + at),
    );
    sockets.push(...(await Promise.all(batch)));
  }
  return sockets;
}

const alive = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => !closed).length;

async function serves(node: BrokerUnderTest): Promise<void> {
  await node.start();
  const port = node.spec.listen.ports.tcp ?? 0;
  const subscriber = await node.client();
  const inbox = inboxOf(subscriber);
  const cuts: string[] = [];
  subscriber.on('close', () => cuts.push('the known client was cut'));
  await subscriber.subscribeAsync('#', { qos: 1 });
  // Half of them come from the address of the clients.
  const address = (index: number): string => (index % 2 === 0 ? '127.0.0.1' : `127.0.2.${(index % NETWORKS) + 1}`);
  const one = (index: number): Promise<Socket> => silent(port, address(index), FIRST_BYTES[index % 3] ?? '');
  const attackers = flood(CONNECTIONS, one);

  for (let index = 0; index < CLIENTS; index += 1) {
    if (index === CLIENTS - 1) await attackers;
    const client = await node.client({ connectTimeout: 30_000 });
    await client.publishAsync('sign', `${index}`, { qos: 1 });
    await client.endAsync();
  }
  await until('all messages', () => inbox.length >= CLIENTS);
  const sockets = await attackers;
  await until(
    () => `${alive(sockets)} silent connections are above the limit`,
    () => alive(sockets) <= unknown + reserve,
  );
  console.log(`${sockets.length} connections opened, ${alive(sockets)} held`);

  expect(inbox.map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4']);
  expect(cuts).toEqual([]);
  await subscriber.endAsync();
}

/** All clients come from the address of the proxy, which names each of them. */
async function servesBehindProxy(node: BrokerUnderTest): Promise<void> {
  await node.start();
  await node.setProxies([PROXY_RANGE]);
  const port = node.spec.listen.ports.tcp ?? 0;
  const proxy = await HaProxy.before({ port, mode: 'tcp', source: PROXY_ADDRESS });
  try {
    const subscriber = await node.clientFrom('127.0.2.1', proxy.port);
    const inbox = inboxOf(subscriber);
    await subscriber.subscribeAsync('#', { qos: 1 });

    const attackers = await flood(ofNetwork + 100, () => silent(proxy.port, '127.0.3.1', ''));
    for (let index = 0; index < CLIENTS; index += 1) {
      const client = await node.clientFrom(`127.0.4.${index + 1}`, proxy.port);
      await client.publishAsync('sign', `${index}`, { qos: 1 });
      await client.endAsync();
    }

    await until('all messages', () => inbox.length >= CLIENTS);
    await until(
      () => `${alive(attackers)} connections of one client are above its share`,
      () => alive(attackers) <= ofNetwork,
    );
    expect(alive(attackers)).toBeGreaterThan(0);
    await subscriber.endAsync();
  } finally {
    await proxy.stop();
  }
}

const nodes: BrokerUnderTest[] = [];
const started = (node: BrokerUnderTest): BrokerUnderTest => {
  nodes.push(node);
  return node;
};
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describe('4: Silent connections at the gate of a node', () => {
  it('keep no client from the embedded broker, and cut none', async () => {
    await serves(started(await BrokerUnderTest.of(await aNodeSpec())));
  });

  describeWithNats('with nats', () => {
    it('keep no client from the broker, and cut none', async () => {
      await serves(started(await aNatsNode(NATS_SERVER)));
    });
  });

  it('count by the client that the PROXY protocol names, not by the proxy', async () => {
    const rule = { id: 1, cidrs: ['10.0.0.0/8'], protocols: ['tcp' as const], valid_to: null };
    const node = started(await BrokerUnderTest.of(await aNodeSpec({ rules: [rule] })));
    await node.start();
    await node.setProxies([PROXY_RANGE]);
    const port = node.spec.listen.ports.tcp ?? 0;
    const from = (source: string): Promise<Socket> => silent(port, PROXY_ADDRESS, aProxyHeader({ source }));

    const others = await flood(50, (index) => from(`10.2.0.${index + 1}`));
    const attackers = await flood(ofNetwork + 100, () => from('10.1.2.3'));

    await until(
      () => `${alive(attackers)} connections of one client are above its share`,
      () => alive(attackers) <= ofNetwork,
    );
    expect(alive(attackers)).toBe(ofNetwork);
    expect(alive(others)).toBe(50);
    // A gate refuses all clients with IPv6.
    const six = await flood(5, (index) => from(`2001:db8::${index + 1}`));
    await until('all clients with IPv6 are closed', () => alive(six) === 0);
  });
});

describeWithHaProxy('4: Silent connections behind a real HAProxy', () => {
  it('take the places of one client, and keep no other client out', async () => {
    const rule = { id: 1, cidrs: ['127.0.0.0/8'], protocols: ['tcp' as const], valid_to: null };
    await servesBehindProxy(started(await BrokerUnderTest.of(await aNodeSpec({ rules: [rule] }))));
  });
});
