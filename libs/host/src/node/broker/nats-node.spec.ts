import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';

const nodes: NodeUnderTest[] = [];
const dirs: string[] = [];

async function aNode(server = NATS_SERVER ?? ''): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create({ nats: server });
  nodes.push(node);
  node.gateway.publish(node.spec, 1);
  node.startAgent();
  await node.running(1);
  return node;
}

/** A nats-server that refuses a key that Landlord writes: here, one number of subscriptions. */
async function anOlderServer(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-older-'));
  dirs.push(dir);
  const file = join(dir, 'nats-server');
  const refusal = 'echo "nats-server: $3:8:1: unknown field" >&2; exit 1';
  const isRefused = `[ "$1" = -t ] && grep -q "max_subscriptions: ${REFUSED}" "$3"`;
  await writeFile(file, `#!/bin/sh\nif ${isRefused}; then ${refusal}; fi\nexec ${NATS_SERVER} "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

const REFUSED = 7_777;

function withValues(spec: NodeSpec, values: Record<string, unknown>): NodeSpec {
  return { ...spec, broker: { ...spec.broker, config: { ...spec.broker.config, values } } };
}

function closed(client: MqttClient): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()));
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
});

describeWithNats('the agent of a node with nats', () => {
  it('reports the running broker and the place of the gate', async () => {
    const node = await aNode();

    const { runtimes, gate, stats } = await node.running(1);

    expect(runtimes[0]).toMatchObject({ status: 'running', version: '2.9.10', restarts: 0, last_error: null });
    expect(gate).toMatchObject({ mode: 'process', generation: 1 });
    expect(stats).toMatchObject({ clients: 0, gate_clients: 0 });
  });

  it('leaves clients connected when it is killed, and adopts their broker after a restart', async () => {
    const node = await aNode();
    const pid = (await node.broker())?.pid;
    const client = await node.client();

    await node.endAgent('SIGKILL');
    await client.publishAsync('a', 'without an agent', { qos: 1 });
    node.startAgent();
    const { runtimes } = await node.status('the new agent reports', ({ runtimes: [broker] }) => broker?.pid === pid);

    expect(runtimes[0]).toMatchObject({ status: 'running', pid, restarts: 0 });
    await client.publishAsync('a', 'with another agent', { qos: 1 });
    await client.endAsync();
  });

  it('restarts a killed nats-server, and a session gets its stored messages', async () => {
    const node = await aNode();
    const session = { clientId: 'reader', clean: false };
    const reader = await node.client(session);
    await reader.subscribeAsync('kept', { qos: 1 });
    await reader.endAsync();
    const writer = await node.client();
    await writer.publishAsync('kept', 'remember me', { qos: 1 });
    await writer.endAsync();

    process.kill((await node.broker())?.pid ?? 0, 'SIGKILL');
    const { runtimes } = await node.status('it runs again', ({ runtimes: [broker] }) => {
      return broker?.status === 'running' && broker.restarts === 1;
    });

    expect(runtimes[0]?.pid).toBeGreaterThan(0);
    expect(await node.received(session)).toBe('remember me');
  });

  it('keeps the old broker when the server refuses the new configuration, but applies the new access rules', async () => {
    const node = await aNode(await anOlderServer());
    const before = await node.broker();
    const client = await node.client();
    const refused = withValues(node.spec, { 'mqtt.max_subscriptions': REFUSED });

    node.gateway.publish(refused, 2);
    const status = await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));
    await client.publishAsync('a', 'still here', { qos: 1 });
    expect(status.runtimes[0]).toMatchObject({
      status: 'running',
      pid: before?.pid,
      last_error: expect.stringMatching(/refuses the configuration: .*unknown field/),
    });
    expect(status.observed.generation).toBe(1);

    const cut = closed(client);
    node.gateway.publish({ ...refused, access_rules: [] }, 3);
    await cut;
    expect((await node.broker())?.pid).toBe(before?.pid);

    node.gateway.publish(withValues(node.spec, { 'mqtt.max_subscriptions': 10 }), 4);
    const { runtimes } = await node.running(4);
    expect(runtimes[0]).toMatchObject({ status: 'running', last_error: null });
    expect((await node.broker())?.configHash).not.toBe(before?.configHash);
  });

  it('restarts the old broker if it dies while the new configuration is refused', async () => {
    const node = await aNode(await anOlderServer());
    const before = await node.broker();
    node.gateway.publish(withValues(node.spec, { 'mqtt.max_subscriptions': REFUSED }), 2);
    await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));

    process.kill(before?.pid ?? 0, 'SIGKILL');
    const after = await until('another broker', async () => {
      const contact = await node.broker();
      return contact && contact.pid !== before?.pid ? contact : null;
    });

    expect(after.configHash).toBe(before?.configHash);
    await (await until('it serves', () => node.client().catch(() => null))).endAsync();
  });

  it('names a port that another process uses, and starts when it is free', async () => {
    const node = await NodeUnderTest.create({ nats: NATS_SERVER ?? '' });
    nodes.push(node);
    const port = node.spec.listen.ports.tcp ?? 0;
    const otherServer = createServer();
    await new Promise<void>((resolve) => otherServer.listen(port, '127.0.0.1', resolve));
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes } = await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));
    await new Promise((resolve) => otherServer.close(resolve));

    expect(runtimes[0]?.last_error).toBe(`port ${port} is already in use`);
    await node.running(1);
  });

  it('reports what to do on a machine without nats-server', async () => {
    const node = await NodeUnderTest.create({ nats: '/nowhere/nats-server' });
    nodes.push(node);
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes } = await node.status('it says why', ({ runtimes: [broker] }) => Boolean(broker?.last_error));

    expect(runtimes[0]).toMatchObject({ status: 'failed', pid: null });
  });
});
