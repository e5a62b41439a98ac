import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IggyFrames, IggyHttp, describeWithIggy, numbered } from '@libs/testing';
import { gateOf, until, type BrokerUnderTest, type SpecChanges } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { nodeFlag } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { IGGY_FILES } from './iggy-files.js';
import type { ServerProgram } from './server/iggy-process.js';
import { IggyRuntime } from './iggy.runtime.js';
import type { ServerRecord } from './server/iggy-server.js';
import { GateControl } from '../../gate/gate-control.js';

const nodes: BrokerUnderTest[] = [];

async function aNode(changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  const node = await anIggyNode(changes);
  nodes.push(node);
  await node.start();
  return node;
}

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

/** The server processes of the node. One that has ended, and whose parent has not noticed it yet, is none. */
const serversOf = ({ home }: BrokerUnderTest): Promise<number[]> => pidsWith({ name: nodeFlag(home) });

async function killed(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until('the process is gone', () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('a node with iggy', () => {
  it('serves clients by HTTP and by the binary protocol through its gate', async () => {
    const node = await aNode();
    const client = await clientOf(node);

    await client.createTopic('orders');
    const status = await client.send('orders', numbered(10));

    expect(status).toBe(201);
    expect(await client.poll('orders')).toEqual(numbered(10));
    const frames = await IggyFrames.open(node.spec.listen.ports.tcp ?? 0);
    expect((await frames.signIn()).status).toBe(0);
    expect((await frames.ask(201)).payload.includes('orders')).toBe(true);
    frames.close();
  });

  it('reports the process, the release and the gauges of its server', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(10));

    const contact = await node.ready();
    const stats = await node.runtime.stats(node.home);

    expect(contact).toMatchObject({ version: '0.8.0', ready: true, reason: null });
    expect(contact.configHash).toBe(node.runtime.render(node.home, node.spec, gateOf(node.spec)).hash);
    expect(stats).toMatchObject({
      streams: 1,
      topics: 1,
      partitions: 1,
      messages: 10,
      gate_denied: 0,
      refused_logins: 0,
    });
    for (const name of ['memory_bytes', 'cpu_seconds', 'bytes_received', 'bytes_sent', 'stored_bytes', 'threads'])
      expect([name, stats[name]]).toEqual([name, expect.any(Number)]);
    expect(stats['memory_bytes']).toBeGreaterThan(30_000_000);
    expect(stats['bytes_received']).toBeGreaterThan(500);
  });

  it('has every acknowledged message after SIGKILL of its server', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    for (let batch = 0; batch < 10; batch += 1) await client.send('orders', numbered(100, batch * 100));

    await killed((await node.ready()).pid);
    await node.start();

    expect(await (await clientOf(node)).poll('orders')).toEqual(numbered(1_000));
  });

  it('refuses names that are too long, and starts again with the longest', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(100));
    const names = ['n'.repeat(255), 'n'.repeat(256), 'n'.repeat(1_024)];

    const statuses = await Promise.all(names.map((name) => client.call('POST', '/streams', { name })));

    expect(statuses.map(({ status }) => status)).toEqual([200, 400, 400]);
    await killed((await node.ready()).pid);
    await node.start();
    expect(await (await clientOf(node)).poll('orders')).toEqual(numbered(100));
  });

  it('is not ready while the server does not use a setting of the node', async () => {
    const node = await aNode();
    const record = JSON.parse(await readFile(IGGY_FILES.record(node.home), 'utf8')) as ServerRecord;
    const rendered = { ...record.rendered, 'system.partition.messages_required_to_save': 2, 'no.such.key': true };
    await writeFile(IGGY_FILES.record(node.home), JSON.stringify({ ...record, rendered }));

    // Another gate process has not judged the server yet.
    await new GateControl(node.home, '').kill();
    await node.spawn();
    const contact = await until('the gate answers', async () => {
      const answer = await node.runtime.contact(node.home);
      return answer?.listening ? answer : null;
    });

    expect(contact).toMatchObject({
      ready: false,
      reason: 'iggy-server does not use these settings: no.such.key, system.partition.messages_required_to_save',
    });
    await expect(clientOf(node)).rejects.toThrow('refused with 503');
  });

  it('leaves no process behind, also when it is killed', async () => {
    const node = await aNode();
    await node.ready();

    await node.runtime.kill(node.home);

    expect(await serversOf(node)).toEqual([]);
    expect(await node.runtime.contact(node.home)).toBeNull();
  });

  it('replaces a second server on its data directory instead of running beside it', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    // As after a crash of the agent between the start of the process and the record of it.
    await rm(IGGY_FILES.record(node.home));

    await node.spawn();
    const contact = await node.ready();

    expect(contact.pid).not.toBe(pid);
    expect(await serversOf(node)).toEqual([contact.pid]);
  });

  it('refuses a configuration that the server does not start with, with the reason of the server', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    const server = await aServerThat(node.home.dir, 'echo "Error: Invalid heartbeat" >&2; exit 0');
    const runtime = new IggyRuntime({ server, allowsUnproven: false });
    const spec = { ...node.spec, broker: { ...node.spec.broker, restart: 1 } };

    const check = runtime.check(node.home, spec);

    await expect(check).rejects.toThrow('iggy-server refuses the configuration: Invalid heartbeat');
    expect(await readdir(node.home.dir)).not.toContain('iggy-trial');
    expect((await node.ready()).pid).toBe(pid);
  });

  it.each([
    ['echo "server 0.9.0"', 'the data of this node is of iggy 0.8.0, but iggy-server is 0.9.0'],
    ['echo "server 0.8.0-edge.1"', 'the data of this node is of iggy 0.8.0, but iggy-server is 0.8.0-edge.1'],
    ['echo "hello"', 'is not an iggy-server'],
    [
      'echo "x: error while loading shared libraries: libhwloc.so.15: cannot open" >&2; exit 127',
      'iggy-server cannot be run: the library libhwloc.so.15 is missing',
    ],
    ['kill -9 $$', 'iggy-server cannot be run'],
  ])('does not start a program that answers "%s"', async (answer, reason) => {
    const node = await anIggyNode();
    nodes.push(node);
    const server = await aServerThat(node.home.dir, 'exit 0', answer);
    const runtime = new IggyRuntime({ server, allowsUnproven: false });

    await expect(runtime.start(node.home, node.spec, gateOf(node.spec))).rejects.toThrow(reason);

    expect(await readdir(node.home.dir)).toEqual(['iggy-server']);
  });
});

/** A program in the place of iggy-server, with an own answer to the query of its version. */
async function aServerThat(dir: string, does: string, version = 'echo "server 0.8.0"'): Promise<ServerProgram> {
  const path = join(dir, 'iggy-server');
  await writeFile(path, `#!/bin/sh\nif [ "$1" = --version ]; then ${version}; exit; fi\n${does}\n`);
  await chmod(path, 0o755);
  return { path };
}
