import { spawnSync } from 'node:child_process';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithIggy, IggyFrames, IggyHttp, numbered, skippedSuite } from '@libs/testing';
import { until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { IGGY_FILES } from './iggy-files.js';

const MIB = 1024 * 1024;
const DISK_MIB = 128;
const nodes: BrokerUnderTest[] = [];
const disks: string[] = [];

const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
const describeWithDisk = mayMount
  ? describeWithIggy
  : skippedSuite('a small disk cannot be mounted', 'Run the tests as root');

async function aNode(): Promise<BrokerUnderTest> {
  const node = await anIggyNode();
  nodes.push(node);
  return node;
}

/** A node with a small disk of its own, by default only for its data. */
async function aNodeOnSmallDisk(directory = (node: BrokerUnderTest) => IGGY_FILES.data(node.home)) {
  const node = await aNode();
  const disk = directory(node);
  await mkdir(disk, { recursive: true });
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=0700`, 'tmpfs', disk];
  expect(spawnSync('mount', options).status).toBe(0);
  disks.push(disk);
  await node.start();
  return node;
}

/** Another program fills the disk, and leaves this much. */
async function fill(node: BrokerUnderTest, leftMib: number): Promise<void> {
  const filler = join(IGGY_FILES.data(node.home), 'streams', 'filler');
  const size = DISK_MIB - leftMib;
  const file = await open(filler, 'a');
  const { blocks } = await file.stat();
  for (let mib = Math.floor((blocks * 512) / MIB); mib < size; mib += 1)
    await file.appendFile(Buffer.alloc(MIB)).catch(() => undefined);
  await file.close();
}

const free = (node: BrokerUnderTest): Promise<void> =>
  rm(join(IGGY_FILES.data(node.home), 'streams', 'filler'), { force: true });

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

/** No answer, no broker, and no place for messages. */
const ENDED = new Set([0, 503, 507]);

/** Sends until the broker takes nothing more. Returns the acknowledged texts. */
async function sendUntilItEnds(client: IggyHttp): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let batch = 0; ; batch += 1) {
    const texts = numbered(10, batch * 10);
    const status = await client.send('orders', texts).catch(() => 0);
    if (status === 201) acknowledged.push(...texts);
    if (ENDED.has(status)) return acknowledged;
  }
}

afterEach(async () => {
  for (const node of nodes) await node.runtime.stop(node.home, 3_000);
  for (const disk of disks.splice(0)) spawnSync('umount', ['-l', disk]);
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithDisk('a node with iggy on a full disk', () => {
  it('takes no new messages before the disk is full, says why, and lets clients read and delete', async () => {
    const node = await aNodeOnSmallDisk();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(10));

    await fill(node, 10);
    const contact = await until('the node says why', async () => {
      const answer = await node.runtime.contact(node.home);
      return answer?.ready === false ? answer : null;
    });

    expect(contact.reason).toBe('the disk of the node is full: the broker takes no new messages until 16 MiB are free');
    expect(await client.send('orders', numbered(1, 10))).toBe(507);
    const frames = await IggyFrames.open(node.spec.listen.ports.tcp ?? 0);
    await frames.signIn();
    expect((await frames.ask(202, Buffer.from('\u0003new'))).status).not.toBe(0);
    expect(await client.poll('orders')).toEqual(numbered(10));
    frames.close();

    await free(node);
    await node.ready();
    expect(await client.send('orders', numbered(1, 10))).toBe(201);
    expect(await client.poll('orders')).toEqual(numbered(11));
  });

  it('has every acknowledged message after the disk was full to the last byte while clients wrote', async () => {
    const node = await aNodeOnSmallDisk();
    const client = await clientOf(node);
    await client.createTopic('orders');
    const { pid } = await node.ready();

    const sending = sendUntilItEnds(client);
    await fill(node, 0);
    const acknowledged = await sending;
    await until('the server has ended', () => spawnSync('kill', ['-0', String(pid)]).status !== 0);
    await expect(node.spawn()).rejects.toThrow(
      'the disk of the node is full: the broker does not start until 16 MiB are free',
    );

    await free(node);
    await node.start();
    const again = await clientOf(node);
    expect(await again.send('orders', ['after'])).toBe(201);
    await node.runtime.kill(node.home);
    await node.start();

    const messages = await (await clientOf(node)).poll('orders', 100_000);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((text) => !messages.includes(text))).toEqual([]);
    expect(messages.at(-1)).toBe('after');
  });
  it('refuses a copy of the data that would fill the disk, and the broker goes on', async () => {
    const node = await aNodeOnSmallDisk(({ home }) => home.dir);
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(10));
    await fill(node, 60);
    const { pid } = await node.ready();

    await expect(node.runtime.freeze(node.home)).rejects.toThrow(
      /^a copy of the data needs \d{2} MiB, and the disk of the node has \d{2} MiB for it$/,
    );

    expect(await readdir(node.home.dir)).not.toContain('frozen');
    expect((await node.ready()).pid).toBe(pid);
    await free(node);
    await node.runtime.freeze(node.home);
    expect(await client.send('orders', numbered(1, 10))).toBe(201);
  });
});
