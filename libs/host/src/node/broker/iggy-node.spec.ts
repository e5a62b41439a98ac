import { spawnSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import {
  describeWithIggy,
  IGGY_BINARIES,
  IGGY_SERVER,
  IggyFrames,
  IggyHttp,
  numbered,
  skippedSuite,
  type Suite,
} from '@libs/testing';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';

const nodes: NodeUnderTest[] = [];

async function aNode(): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create(IGGY_BINARIES);
  nodes.push(node);
  // Below the range of the private ports, which the server could get otherwise.
  Object.assign(node.spec.listen.ports, { http: (node.spec.listen.ports.tcp ?? 0) + 1 });
  node.spec.access_rules[0]?.protocols.push('http');
  return node;
}

async function aRunningNode(): Promise<NodeUnderTest> {
  const node = await aNode();
  node.gateway.publish(node.spec, 1);
  node.startAgent();
  await node.running(1);
  return node;
}

const clientOf = ({ spec }: NodeUnderTest): Promise<IggyHttp> => IggyHttp.signIn(spec.listen.ports.http);

const withRestart = (spec: NodeSpec, restart: number): NodeSpec => ({ ...spec, broker: { ...spec.broker, restart } });

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the agent of a node with iggy', () => {
  it('reports the running broker, its release and the place of the gate', async () => {
    const node = await aRunningNode();

    const { runtimes, gate, stats } = await node.running(1);

    expect(runtimes[0]).toMatchObject({ status: 'running', version: '0.8.0', restarts: 0, last_error: null });
    expect(gate).toMatchObject({ mode: 'process', generation: 1 });
    expect(stats).toMatchObject({ streams: 0, messages: 0, gate_clients: 0 });
  });

  it('leaves clients connected when it is killed, and adopts their broker after a restart', async () => {
    const node = await aRunningNode();
    const pid = (await node.broker())?.pid;
    const client = await IggyFrames.open(node.spec.listen.ports.tcp ?? 0);
    await client.signIn();

    await node.endAgent('SIGKILL');
    expect((await client.ask(201)).status).toBe(0);
    node.startAgent();
    const { runtimes } = await node.status('the new agent reports', ({ runtimes: [broker] }) => broker?.pid === pid);

    expect(runtimes[0]).toMatchObject({ status: 'running', pid, restarts: 0 });
    expect((await client.ask(201)).status).toBe(0);
    client.close();
  });

  it('restarts a killed server with every acknowledged message', async () => {
    const node = await aRunningNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(1_000));

    process.kill((await node.broker())?.pid ?? 0, 'SIGKILL');
    const { runtimes } = await node.status('the server runs again', ({ runtimes: [broker] }) => {
      return broker?.status === 'running' && broker.restarts === 1;
    });

    expect(runtimes[0]?.last_error).toBeNull();
    expect(await (await clientOf(node)).poll('orders')).toEqual(numbered(1_000));
  });

  it('has every acknowledged message after SIGKILL of all its processes at once', async () => {
    const node = await aRunningNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(1_000));
    const gate = await until('the gate', () => client.call('GET', '/ping'));
    expect(gate.status).toBe(200);

    const pids = await node.pids();
    expect(pids.length).toBeGreaterThanOrEqual(3);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    node.startAgent();
    await until('clients are served', () => clientOf(node).catch(() => null));

    expect(await (await clientOf(node)).poll('orders')).toEqual(numbered(1_000));
  });

  it('applies a restart without a loss, and other passwords without a restart', async () => {
    const node = await aRunningNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(10));
    const before = (await node.broker())?.pid;

    node.gateway.publish(withRestart(node.spec, 1), 2);
    await node.running(2);
    const after = (await node.broker())?.pid;
    const credentials = { ...node.spec.credentials, password: 'another password', version: 2 };
    node.gateway.publish({ ...withRestart(node.spec, 1), credentials }, 3);
    await node.running(3);

    expect(after).not.toBe(before);
    expect((await node.broker())?.pid).toBe(after);
    await expect(clientOf(node)).rejects.toThrow('refused with 400');
    const { http } = node.spec.listen.ports;
    expect(await (await IggyHttp.signIn(http, 'another password')).poll('orders')).toEqual(numbered(10));
  });

  it('names a port that another process uses, and starts when it is free', async () => {
    const node = await aNode();
    const port = node.spec.listen.ports.tcp ?? 0;
    const outsider = createServer();
    await new Promise<void>((resolve) => outsider.listen(port, '127.0.0.1', resolve));
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes } = await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));
    await new Promise((resolve) => outsider.close(resolve));

    expect(runtimes[0]?.last_error).toBe(`port ${port} is already in use`);
    await node.running(1);
  });

  it('reports damaged data in plain words, and never as running', async () => {
    const node = await aRunningNode();
    await (await clientOf(node)).createTopic('orders');
    const from = node.gateway.statuses.length;
    node.gateway.publish({ ...node.spec, broker: { ...node.spec.broker, want: 'stopped' } }, 2);
    await until('the broker is stopped', () =>
      node.gateway.statuses.slice(from).find(({ runtimes: [broker] }) => broker?.status === 'stopped'),
    );
    await truncate(join(node.home.dir, 'data', 'state', 'log'), 100);
    const stopped = node.gateway.statuses.length;

    node.gateway.publish(node.spec, 3);
    const { runtimes } = await until('the status says why', () =>
      node.gateway.statuses.slice(stopped).find(({ runtimes: [broker] }) => Boolean(broker?.last_error)),
    );

    expect(runtimes[0]?.last_error).toMatch(/^iggy-server cannot read its data directory: /);
    const after = node.gateway.statuses.slice(stopped).map(({ runtimes: [broker] }) => broker?.status);
    expect(after).not.toContain('running');
  });

  it('reports what to do on a machine without iggy-server', async () => {
    const node = await NodeUnderTest.create({ iggy: '/nowhere/iggy-server' });
    nodes.push(node);
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes } = await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));

    expect(runtimes[0]).toMatchObject({ pid: null, last_error: 'iggy-server cannot be run: ENOENT' });
  });
});

/** The program runs without a folder of libraries where the system has them. */
function describeWithoutLibraries(): Suite {
  if (IGGY_SERVER === null) return describeWithIggy;
  const { status } = spawnSync(IGGY_SERVER, ['--version'], { env: {} });
  return status === 0 ? skippedSuite('the system has libhwloc', 'Uninstall libhwloc15 to run them') : describeWithIggy;
}

describeWithoutLibraries()('the agent of a node with iggy-server and without its libraries', () => {
  it('reports the missing library in one sentence, and starts no server', async () => {
    const node = await NodeUnderTest.create({ iggy: IGGY_SERVER ?? '' });
    nodes.push(node);
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes } = await node.status('the status says why', ({ runtimes: [broker] }) =>
      Boolean(broker?.last_error),
    );

    const reason = 'iggy-server cannot be run: the library libhwloc.so.15 is missing';
    expect(runtimes[0]).toMatchObject({ pid: null, last_error: reason });
    expect(runtimes[0]?.status).not.toBe('running');
  });
});
