import { createServer } from 'node:net';
import { mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { RELEASE } from '@libs/domain/release';
import { NodeUnderTest, until } from '../../test/node/agent.fixture.js';
import { EPOCH } from '../../test/node/fake-gateway.fixture.js';

const nodes: NodeUnderTest[] = [];

async function aNode(): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create();
  nodes.push(node);
  return node;
}

/** A node with a running broker at generation 1. */
async function aRunningNode(): Promise<NodeUnderTest> {
  const node = await aNode();
  node.gateway.publish(node.spec, 1);
  node.startAgent();
  await node.running(1);
  return node;
}

function withValues(spec: NodeSpec, values: Record<string, unknown>): NodeSpec {
  return { ...spec, broker: { ...spec.broker, config: { id: 1, version: 2, values } } };
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describe('the memory of the node', () => {
  it('limits its broker: a broker above the limit is killed, and the Supervisor gets the reason', async () => {
    const node = await aNode();
    const limited = (memory_mib: number): NodeSpec => ({
      ...node.spec,
      broker: { ...node.spec.broker, limits: { memory_mib, storage_mib: 1024 } },
    });
    node.gateway.publish(limited(16), 1);

    node.startAgent();
    const { runtimes } = await node.status('of the death', (status) => (status.runtimes[0]?.restarts ?? 0) > 0);
    expect(runtimes[0]?.last_error).toMatch(/used \d+ MiB of memory, and its node has 16 MiB/);

    node.gateway.publish(limited(512), 2);
    await node.running(2);
  });
});

describe('registration', () => {
  it('repeats a registration after a lost answer, with the same credential', async () => {
    const node = await aNode();
    node.gateway.registerAnswersToLose = 2;
    node.gateway.publish(node.spec, 1);

    node.startAgent();
    const status = await node.running(1);

    expect(node.gateway.registrations).toHaveLength(3);
    expect(new Set(node.gateway.registrations.map(({ credential_hash }) => credential_hash)).size).toBe(1);
    expect(status.epoch).toBe(EPOCH);
  });

  it('is retried after a disk failure, because an agent that answers pings must be registered', async () => {
    const node = await aNode();
    node.gateway.publish(node.spec, 1);
    // Reads and writes of the file fail, like on a full disk.
    const credential = join(node.home.dir, 'credential.json');
    await mkdir(credential);

    node.startAgent();
    await until('it has failed', async () => (await node.log('agent')).includes('EISDIR'));
    await rmdir(credential);

    await node.running(1);
  });

  it('registers once: a restarted agent uses its stored credential', async () => {
    const node = await aRunningNode();
    await node.endAgent('SIGKILL');

    node.startAgent();
    await node.status('of the second agent', ({ seq }) => seq === 1);

    expect(node.gateway.registrations).toHaveLength(1);
  });

  it('makes credential, document and broker configuration readable only for the owner, and logs no secret', async () => {
    const node = await aRunningNode();

    for (const name of ['credential.json', 'document.json', 'broker.json']) {
      expect((await stat(join(node.home.dir, name))).mode & 0o077).toBe(0);
    }
    const { secret } = JSON.parse(await readFile(join(node.home.dir, 'credential.json'), 'utf8')) as {
      secret: string;
    };
    const logs = (await node.log('agent')) + (await node.log('broker'));
    for (const word of [secret, node.spec.credentials.password, node.spec.cluster.secret]) {
      expect(logs).not.toContain(word);
    }
  });
});

describe('convergence', () => {
  it('starts the broker of the document and reports its state', async () => {
    const node = await aRunningNode();
    const client = await node.client();

    const status = await node.status('a client is counted', ({ gate }) => gate.clients === 1);

    expect(status).toMatchObject({
      observed: { timeline: 1, generation: 1 },
      runtimes: [{ runtime: 'broker', status: 'running', version: '1.2.0', restarts: 0, last_error: null }],
      stats: { clients: 1, cpu_percent: expect.any(Number), memory_bytes: expect.any(Number) },
      gate: { mode: 'inline', generation: 1, clients: 1 },
    });
    expect(status.stats['disk_bytes']).toBeGreaterThan(0);
    await client.endAsync();
  });

  it('applies new access rules without a restart and without cutting clients that are still allowed', async () => {
    const node = await aRunningNode();
    const before = await node.broker();
    const client = await node.client();
    const rules = [{ id: 2, cidrs: ['127.0.0.1/32'], protocols: ['tcp' as const], valid_to: null }];

    node.gateway.publish({ ...node.spec, access_rules: rules }, 2);
    await node.running(2);

    await client.publishAsync('still', 'here', { qos: 1 });
    expect((await node.broker())?.pid).toBe(before?.pid);
    const closed = new Promise((resolve) => client.once('close', () => resolve('closed')));
    node.gateway.publish({ ...node.spec, access_rules: [] }, 3);
    expect(await closed).toBe('closed');
    await client.endAsync(true);
  });

  it('restarts the broker when its configuration changes', async () => {
    const node = await aRunningNode();
    const first = await node.broker();

    node.gateway.publish(withValues(node.spec, { 'mqtt.max_connections': 5 }), 2);
    await node.running(2);

    expect((await node.broker())?.pid).not.toBe(first?.pid);
  });

  it('changes credentials without a restart, and accepts the previous password while the document has it', async () => {
    const node = await aRunningNode();
    const first = await node.broker();
    const { password } = node.spec.credentials;
    const rotated = { ...node.spec, credentials: { ...node.spec.credentials, password: 'a new one', version: 2 } };

    node.gateway.publish({ ...rotated, previous_password: { password, valid_to: null } }, 2);
    await node.running(2);
    const client = await node.client();
    const closed = new Promise((resolve) => client.once('close', () => resolve('closed')));
    node.gateway.publish(rotated, 3);
    await node.running(3);

    expect(await closed).toBe('closed');
    await expect(node.client()).rejects.toMatchObject({ code: 5 });
    expect((await node.broker())?.pid).toBe(first?.pid);
    await client.endAsync(true);
  });

  it('stops the broker when the document requires it, and starts it again', async () => {
    const node = await aRunningNode();

    node.gateway.publish({ ...node.spec, broker: { ...node.spec.broker, want: 'stopped' } }, 2);
    const stopped = await node.status('stopped', ({ observed }) => observed.generation === 2);
    expect(stopped.runtimes[0]).toMatchObject({ status: 'stopped', pid: null });
    expect(await node.broker()).toBeNull();

    node.gateway.publish(node.spec, 3);
    await node.running(3);
  });

  it('passes the time of the server to the gate', async () => {
    const node = await aNode();
    const hour = 3_600_000;
    node.gateway.serverOffsetMs = 2 * hour;
    const [rule] = node.spec.access_rules;
    const access_rules = [{ ...rule!, valid_to: new Date(Date.now() + hour).toISOString() }];
    node.gateway.publish({ ...node.spec, access_rules }, 1);
    node.startAgent();
    await node.running(1);

    await expect(node.client()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('supervision', () => {
  it('restarts a killed broker and reports that', async () => {
    const node = await aRunningNode();
    const before = await node.broker();

    process.kill(before?.pid ?? 0, 'SIGKILL');
    const lost = await node.status('the loss', ({ runtimes }) => runtimes[0]?.status === 'starting');
    const back = await node.status('the return', ({ runtimes }) => runtimes[0]?.status === 'running');

    expect(lost.runtimes[0]).toMatchObject({ last_error: 'the broker was stopped by SIGKILL' });
    expect(back.runtimes[0]).toMatchObject({ restarts: 1, last_error: null });
    expect(back.runtimes[0]?.pid).not.toBe(before?.pid);
  });

  it('keeps clients when the agent dies, and the next agent adopts the broker', async () => {
    const node = await aRunningNode();
    const before = await node.broker();
    const client = await node.client();
    const closed = { count: 0 };
    client.on('close', () => (closed.count += 1));

    await node.endAgent('SIGKILL');
    await client.publishAsync('without', 'agent', { qos: 1 });
    node.startAgent();
    const adopted = await node.status('adopted', ({ seq, runtimes }) => seq >= 1 && runtimes[0]?.status === 'running');
    await client.publishAsync('with', 'agent', { qos: 1 });

    expect(adopted.runtimes[0]).toMatchObject({ pid: before?.pid, restarts: 0 });
    expect(closed.count).toBe(0);
    await client.endAsync();
  });

  it('detects the death of an adopted broker', async () => {
    const node = await aRunningNode();
    const before = await node.broker();
    await node.endAgent('SIGTERM');
    node.startAgent();
    await node.status('adopted', ({ runtimes }) => runtimes[0]?.pid === before?.pid);

    process.kill(before?.pid ?? 0, 'SIGKILL');

    const back = await node.status(
      'the return',
      ({ runtimes }) => runtimes[0]?.restarts === 1 && runtimes[0].status === 'running',
    );
    expect(back.runtimes[0]?.pid).not.toBe(before?.pid);
  });

  it('ends on SIGTERM and leaves the broker running', async () => {
    const node = await aRunningNode();
    const before = await node.broker();

    expect(await node.endAgent('SIGTERM')).toBe(0);

    expect((await node.broker())?.pid).toBe(before?.pid);
  });

  it('reports the reason of the runtime when a port is taken, and starts when it is free', async () => {
    const node = await aNode();
    const port = node.spec.listen.ports.tcp ?? 0;
    const otherServer = createServer().listen(port, '127.0.0.1');
    node.gateway.publish(node.spec, 1);

    node.startAgent();
    const failing = await node.status('the failure', ({ runtimes }) => runtimes[0]?.last_error !== null);
    expect(failing.runtimes[0]).toMatchObject({ status: 'starting', last_error: `port ${port} is already in use` });
    expect(failing.observed.generation).toBe(0);

    await new Promise((resolve) => otherServer.close(resolve));
    await node.running(1);
  });

  it('is the only agent of its node: a second one reports that and exits with code 0', async () => {
    const node = await aRunningNode();
    const first = node.agent;

    const second = node.startAgent();
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);

    expect(await node.log('agent')).toContain('another agent of this node is already running');
    expect(await node.ping()).toMatchObject({ node: 5, pid: first?.pid, agent_version: RELEASE, state: 'working' });
    node.agent = first;
  });
});

describe('the document', () => {
  it('starts the broker with the stored document while the gateway is down', async () => {
    const node = await aRunningNode();
    await node.endAgent('SIGKILL');
    process.kill((await node.broker())?.pid ?? 0, 'SIGKILL');
    await node.gateway.stop();

    node.startAgent();

    await until('the broker', async () => (await node.broker())?.ready);
    await (await node.client()).endAsync();
  });

  it('refuses a lower generation, and the same one with other content, and reports it', async () => {
    const node = await aNode();
    node.gateway.publish(node.spec, 5);
    node.startAgent();
    await node.running(5);
    const pid = (await node.broker())?.pid;
    const other = withValues(node.spec, { 'mqtt.max_connections': 5 });

    node.gateway.publish(other, 4);
    const lower = await node.status('a refusal', ({ refused }) => refused?.reason === 'older_generation');
    node.gateway.isForced = true;
    node.gateway.publish(other, 5);
    const forked = await node.status('a refusal', ({ refused }) => refused?.reason === 'same_generation_other_hash');

    expect([lower.observed.generation, forked.observed.generation]).toEqual([5, 5]);
    expect((await node.broker())?.pid).toBe(pid);
    node.gateway.isForced = false;
    node.gateway.publish(other, 6);
    await node.running(6);
    expect((await node.status('a later one', () => true)).refused).toBeUndefined();
  });

  it('accepts any generation of a higher timeline and none of a lower one', async () => {
    const node = await aNode();
    node.gateway.publish(node.spec, 5, { timeline: 2 });
    node.startAgent();
    await node.running(5);

    node.gateway.publish(node.spec, 9, { timeline: 1 });
    await node.status('a refusal', ({ refused }) => refused?.reason === 'older_timeline');
    node.gateway.publish(node.spec, 1, { timeline: 3 });

    expect((await node.running(1)).observed).toMatchObject({ timeline: 3, generation: 1 });
  });
});

describe('the end', () => {
  it('stops the broker and exits when the node is deleted', async () => {
    const node = await aRunningNode();
    const ended = new Promise((resolve) => node.agent?.once('exit', resolve));

    node.gateway.refusal = { status: 410, code: 'gone' };
    node.gateway.release();

    expect(await ended).toBe(0);
    expect(await node.broker()).toBeNull();
  });

  it('stops acting on a stale epoch, leaves the broker running and still answers pings', async () => {
    const node = await aRunningNode();
    const before = await node.broker();

    node.gateway.refusal = { status: 409, code: 'stale_epoch' };
    node.gateway.release();
    await until('fenced', async () => ((await node.ping()) as { state: string }).state === 'fenced');
    const calls = node.gateway.statuses.length + node.gateway.desiredQueries.length;
    node.gateway.refusal = null;
    process.kill(before?.pid ?? 0, 'SIGUSR2');
    await until('the broker is gone', async () => (await node.broker()) === null);

    expect(node.gateway.statuses.length + node.gateway.desiredQueries.length).toBe(calls);
    expect(await node.endAgent('SIGTERM')).toBe(0);
  });

  it('registers again when its credential is unknown', async () => {
    const node = await aRunningNode();

    node.gateway.refusal = { status: 401, code: 'unauthenticated' };
    node.gateway.release();
    await until('another registration', () => node.gateway.registrations.length >= 2);
    node.gateway.refusal = null;

    await node.status('working again', () => true);
    expect((await node.broker())?.ready).toBe(true);
  });
});
