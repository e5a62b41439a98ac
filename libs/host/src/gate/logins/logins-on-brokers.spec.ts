import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { aNodeSpec, BrokerUnderTest, inboxOf, PASSWORD, until } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';

const NEXT = 'the next one';
const OVERLAP_MS = 2_000;
const running: BrokerUnderTest[] = [];
const clients: MqttClient[] = [];

async function started(node: BrokerUnderTest): Promise<BrokerUnderTest> {
  running.push(node);
  await node.start();
  return node;
}

async function signIn(node: BrokerUnderTest, password: string, protocol: 'tcp' | 'websocket' = 'tcp') {
  const client = await node.client({ password }, protocol);
  clients.push(client);
  return client;
}

const isRefused = (node: BrokerUnderTest, password: string): Promise<boolean> =>
  signIn(node, password).then(
    () => false,
    (error: { code?: number }) => [4, 5].includes(error.code ?? 0),
  );

const closing = (client: MqttClient): Promise<number> =>
  new Promise((resolve) => client.once('close', () => resolve(Date.now())));

const soon = (): string => new Date(Date.now() + OVERLAP_MS).toISOString();

async function statsStatus(node: BrokerUnderTest, password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const answer = await fetch(`${node.url('http')}/stats`, { headers: { authorization, connection: 'close' } });
  await answer.arrayBuffer();
  return answer.status;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

function rotationSuite(aNode: () => Promise<BrokerUnderTest>): void {
  it('accepts both passwords until the end of the old one, then closes what signed in with it, without a restart', async () => {
    const node = await started(await aNode());
    const { pid, configHash } = await node.ready();
    const [tcp, web] = [await signIn(node, PASSWORD), await signIn(node, PASSWORD, 'websocket')];
    const ended = Promise.all([closing(tcp), closing(web)]);
    const inbox = inboxOf(tcp);
    await tcp.subscribeAsync('orders', { qos: 1 });
    const end = soon();

    await node.rotate(NEXT, { password: PASSWORD, valid_to: end });
    const fresh = await signIn(node, NEXT);
    await signIn(node, PASSWORD);
    await fresh.publishAsync('orders', 'three coffees', { qos: 1 });
    await until('the message', () => inbox.length === 1);
    expect([await statsStatus(node, PASSWORD), await statsStatus(node, NEXT)]).toEqual([200, 200]);
    expect(await isRefused(node, 'guess')).toBe(true);

    for (const at of await ended) expect(at).toBeGreaterThanOrEqual(Date.parse(end));
    expect(await isRefused(node, PASSWORD)).toBe(true);
    expect([await statsStatus(node, PASSWORD), await statsStatus(node, NEXT)]).toEqual([401, 200]);
    await fresh.publishAsync('orders', 'still here', { qos: 1 });
    expect(await node.ready()).toMatchObject({ pid, configHash });
  });

  it('closes what signed in with the old password at once without an overlap, and nothing else', async () => {
    const node = await started(await aNode());
    const { pid } = await node.ready();
    const before = closing(await signIn(node, PASSWORD));

    await node.rotate(NEXT, null);

    await before;
    expect(await isRefused(node, PASSWORD)).toBe(true);
    const after = await signIn(node, NEXT);
    await node.rotate(NEXT, null);
    await after.publishAsync('still', 'here', { qos: 1 });
    expect((await node.ready()).pid).toBe(pid);
  });

  it('has the same passwords and the same end after a restart', async () => {
    const node = await started(await aNode());
    await node.rotate(NEXT, { password: PASSWORD, valid_to: new Date(Date.now() + 3_600_000).toISOString() });
    await node.runtime.stop(node.home, 5_000);
    await node.start();
    const ended = closing(await signIn(node, PASSWORD));
    await signIn(node, NEXT);

    await node.runtime.stop(node.home, 5_000);
    await ended;
    node.spec.previous_password = { password: PASSWORD, valid_to: new Date(Date.now() - 1).toISOString() };
    await node.start();

    expect(await isRefused(node, PASSWORD)).toBe(true);
    await signIn(node, NEXT);
  });

  it('drops the password before the last two at once', async () => {
    const node = await started(await aNode());
    await node.rotate(NEXT, { password: PASSWORD, valid_to: null });
    const first = closing(await signIn(node, PASSWORD));
    const second = await signIn(node, NEXT);

    await node.rotate('third', { password: NEXT, valid_to: null });

    await first;
    expect(await isRefused(node, PASSWORD)).toBe(true);
    await second.publishAsync('still', 'here', { qos: 1 });
    await signIn(node, 'third');
  });
}

function refusalSuite(aNode: () => Promise<BrokerUnderTest>): void {
  it('are reported with their address, of every protocol', async () => {
    const node = await started(await aNode());
    await signIn(node, PASSWORD);
    expect(await node.ready()).toMatchObject({ refusedLogins: [] });

    expect(await isRefused(node, 'guess')).toBe(true);
    await expect(signIn(node, 'guess', 'websocket')).rejects.toThrow();
    expect(await statsStatus(node, 'guess')).toBe(401);

    const { refusedLogins } = await node.ready();
    expect(refusedLogins).toEqual([{ address: '127.0.0.1', count: 3, at: expect.any(Number) }]);
    expect(await node.runtime.stats(node.home)).toMatchObject({ refused_logins: 3, gate_denied: 0 });
  });
}

describe('A rotation on the embedded broker', () => {
  rotationSuite(async () => BrokerUnderTest.of(await aNodeSpec()));

  it('lets clients of a follower sign in with both passwords, and closes those of the old one at the end', async () => {
    const secret = 'cluster secret';
    const leader = await started(
      await BrokerUnderTest.of(await aNodeSpec({ cluster: { size: 2, ordinal: 1, leader: null, secret } })),
    );
    const { address: host, peer } = leader.spec.listen;
    const cluster = { size: 2, ordinal: 2, leader: { host, port: peer ?? 0 }, secret };
    const follower = await started(await BrokerUnderTest.of(await aNodeSpec({ nodeId: 2, cluster })));
    const ended = closing(await signIn(follower, PASSWORD));
    const end = soon();

    for (const node of [leader, follower]) await node.rotate(NEXT, { password: PASSWORD, valid_to: end });
    await signIn(follower, NEXT);
    await signIn(follower, PASSWORD);

    expect(await ended).toBeGreaterThanOrEqual(Date.parse(end));
    expect(await isRefused(follower, PASSWORD)).toBe(true);
  });
});

describe('Refused sign-ins on the embedded broker', () => {
  refusalSuite(async () => BrokerUnderTest.of(await aNodeSpec()));
});

describeWithNats('Refused sign-ins on nats', () => {
  refusalSuite(() => aNatsNode(NATS_SERVER));
});

describeWithNats('A rotation on nats', () => {
  rotationSuite(() => aNatsNode(NATS_SERVER));
});
