import { appendFile, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithIggy, describeWithUnprovenIggy, IggyHttp, numbered, UNPROVEN_IGGY_SERVER } from '@libs/testing';
import { filesIn } from '../../../test/brokers/encrypted-data.fixture.js';
import { gateOf, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode, IGGY_PROGRAM } from '../../../test/brokers/iggy.fixture.js';
import { nodeFlag } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { IGGY_FILES } from './iggy-files.js';
import { startServer } from './server/iggy-process.js';
import { alignSegments } from './server/segment-tails.js';

const PARTITION = 'streams/0/topics/0/partitions/0';
const nodes: BrokerUnderTest[] = [];

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

/** A node with a hundred messages, whose server was killed. */
async function aKilledNode(values: Record<string, unknown> = {}, rounds = 1): Promise<BrokerUnderTest> {
  const node = await anIggyNode({ values });
  nodes.push(node);
  await node.start();
  const client = await clientOf(node);
  await client.createTopic('orders');
  for (let round = 0; round < rounds; round += 1) await client.send('orders', numbered(100, round * 100));
  await node.runtime.kill(node.home);
  return node;
}

/** The files of the segments of the only partition, oldest first. */
async function segmentsOf(node: BrokerUnderTest): Promise<{ log: string; index: string }[]> {
  const folder = join(IGGY_FILES.data(node.home), PARTITION);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
  return names.map((name) => ({ log: join(folder, name), index: join(folder, name.replace('.log', '.index')) }));
}

const newestOf = async (node: BrokerUnderTest) => (await segmentsOf(node)).at(-1) ?? { log: '', index: '' };

/** Every message is there, also after another one and a second death. */
async function hasAll(node: BrokerUnderTest, count: number): Promise<void> {
  await node.start();
  expect(await (await clientOf(node)).send('orders', ['after'])).toBe(201);
  await node.runtime.kill(node.home);
  await node.start();
  expect(await (await clientOf(node)).poll('orders', count + 1)).toEqual([...numbered(count), 'after']);
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the newest segment of a partition after the death of its server', () => {
  it.each([
    ['lacks entries of whole messages', 64, 0],
    ['has a part of an entry', 7, 0],
    ['is complete, and the log has the start of another message', 0, 40],
    ['lacks entries, and the log has the start of another message', 160, 63],
  ])('is read when its index %s', async (_case, cutIndex, moreLog) => {
    const node = await aKilledNode();
    const { log, index } = await newestOf(node);
    await truncate(index, (await stat(index)).size - cutIndex);
    await appendFile(log, Buffer.alloc(moreLog, 1));

    await hasAll(node, 100);
  });

  it('is read when its index was deleted', async () => {
    const node = await aKilledNode();
    await rm((await newestOf(node)).index);

    await hasAll(node, 100);
  });

  it.each([
    ['its last entry is no message of the log', false],
    ['it was deleted and the log does not begin with its first message', true],
  ])('is not cut when %s', async (_case, isDeleted) => {
    const node = await aKilledNode({}, isDeleted ? 200 : 1);
    const { log, index } = await newestOf(node);
    const file = await open(isDeleted ? log : index, 'r+');
    // The position of the second last entry, or the offset of the first message.
    if (isDeleted) await file.write(Buffer.from([9, 9, 9, 9]), 0, 4, 24);
    else await file.write(Buffer.from([1, 2, 0, 0]), 0, 4, (await file.stat()).size - 28);
    await file.close();
    if (isDeleted) await rm(index);
    else await truncate(index, (await stat(index)).size - 16);
    const before = await readFile(log);

    await alignSegments(IGGY_FILES.data(node.home));

    expect((await readFile(log)).equals(before)).toBe(true);
  });

  it('is reported as damaged when its log is shorter than its index', async () => {
    const node = await aKilledNode();
    const { log } = await newestOf(node);
    await truncate(log, (await stat(log)).size - 100);

    await node.spawn();
    const contact = await until('the node says why', async () => {
      const answer = await node.runtime.contact(node.home);
      return answer?.reason?.includes('damaged') ? answer : null;
    });

    expect(contact).toMatchObject({
      ready: false,
      reason: 'the data is damaged: stream 0, topic 0, partition 0. Restore a backup.',
    });
  });
});

describeWithIggy('torn data of an iggy node', () => {
  it('is not served when an older segment is too short, and is read when its index was deleted', async () => {
    // A segment takes 1 MiB: about 150 messages of 7 KB.
    const node = await anIggyNode({ values: { 'system.segment.size': '1 MiB' } });
    nodes.push(node);
    await node.start();
    const client = await clientOf(node);
    await client.createTopic('orders');
    const texts = numbered(400).map((text) => text.padEnd(7_000, 'x'));
    for (let first = 0; first < texts.length; first += 50) await client.send('orders', texts.slice(first, first + 50));
    await node.runtime.kill(node.home);
    const segments = await segmentsOf(node);
    expect(segments.length).toBeGreaterThan(1);
    const [oldest = { log: '', index: '' }] = segments;

    const newest = segments.at(-1) ?? oldest;
    await rm(oldest.index);
    await truncate(newest.index, (await stat(newest.index)).size - 32);
    await node.start();
    expect(await (await clientOf(node)).poll('orders', 1_000)).toEqual(texts);
    await node.runtime.kill(node.home);
    await truncate(oldest.log, (await stat(oldest.log)).size - 1);

    await expect(node.spawn()).rejects.toThrow(
      /^the data is damaged: streams\/0\/topics\/0\/partitions\/0\/0+\.log does not fit its index\. Restore a backup\.$/,
    );
    expect(await pidsWith({ name: nodeFlag(node.home) })).toEqual([]);
  });

  it('is not served when the directory of a partition is missing, and the reason is said', async () => {
    const node = await aKilledNode();
    await rm(join(IGGY_FILES.data(node.home), PARTITION), { recursive: true });
    const began = Date.now();

    await node.spawn();
    await node.exited;

    expect(await node.runtime.lastError?.(node.home, began)).toMatch(/^iggy-server cannot read its data directory: /);
    expect((await node.runtime.contact(node.home))?.ready).not.toBe(true);
  });

  it('does not lend its reason to a later end of the server', async () => {
    const node = await aKilledNode();
    const state = join(IGGY_FILES.data(node.home), 'state', 'log');
    const whole = (await filesIn(IGGY_FILES.data(node.home))).get('state/log') ?? Buffer.alloc(0);
    await truncate(state, 100);
    await node.spawn();
    await node.exited;
    expect(await node.runtime.lastError?.(node.home, 0)).toMatch(/cannot read its data directory/);

    await truncate(state, 0);
    await appendFile(state, whole);
    const began = Date.now();
    await node.start();
    await node.runtime.kill(node.home);

    expect(await node.runtime.lastError?.(node.home, began)).toBeNull();
  });
});

describeWithIggy('a kill of iggy-server while it starts', () => {
  it('loses no message and leaves no process, at any time of the start', async () => {
    const node = await aKilledNode();
    for (let waitMs = 0; waitMs <= 200; waitMs += 25) {
      await node.spawn();
      await new Promise((wake) => setTimeout(wake, waitMs));
      await node.runtime.kill(node.home);
      expect(await pidsWith({ name: nodeFlag(node.home) })).toEqual([]);
    }

    await hasAll(node, 100);
  });
});

describeWithUnprovenIggy('a node with iggy 0.8', () => {
  it('does not start on data that a server of a newer line wrote, and leaves the data as it is', async () => {
    const node = await anIggyNode();
    nodes.push(node);
    const { dir } = node.home;
    const data = IGGY_FILES.data(node.home);
    const place = {
      ...{ name: `${nodeFlag(node.home)}/newer`, dir, data, config: join(dir, 'newer.toml') },
      ...{ environment: join(dir, 'newer.env'), output: join(dir, 'newer.log'), memory: '', replica: null },
    };
    const config = `[system]\npath = ${JSON.stringify(data)}\n[http]\naddress = "127.0.0.1:0"\n[tcp]\naddress = "127.0.0.1:0"\n`;
    const environment = 'IGGY_ROOT_USERNAME="root-of-newer"\nIGGY_ROOT_PASSWORD="secret-of-newer"\n';
    const program = { ...IGGY_PROGRAM, path: UNPROVEN_IGGY_SERVER };
    const { pid } = await startServer(program, place, { config, environment });
    await until('it has written its state', async () => (await readdir(data)).includes('metadata'));
    process.kill(pid, 'SIGKILL');
    await until('it has ended', async () => (await pidsWith({ name: place.name })).length === 0);
    const before = await filesIn(data);

    await expect(node.spawn()).rejects.toThrow(/was (not )?written by iggy/);

    expect(await filesIn(data)).toEqual(before);
  });

  it('does not start the program of a newer line', async () => {
    const node = await anIggyNode();
    nodes.push(node);
    const { IggyRuntime } = await import('./iggy.runtime.js');
    const runtime = new IggyRuntime({ server: { ...IGGY_PROGRAM, path: UNPROVEN_IGGY_SERVER }, allowsUnproven: true });

    await expect(runtime.start(node.home, node.spec, gateOf(node.spec))).rejects.toThrow(
      /^the data of this node is of iggy 0\.8\.0, but iggy-server is 0\.9\.0-/,
    );
  });
});
