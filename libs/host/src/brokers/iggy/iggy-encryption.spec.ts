import { access, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { nodeMemory } from '@libs/domain/node-memory';
import { describeWithIggy, IggyFrames, IggyHttp } from '@libs/testing';
import type { BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { filesIn, filesWith, KEY, MARK, OTHER_KEY } from '../../../test/brokers/encrypted-data.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { frozenDirectory, nodeFlag } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { IGGY_FILES, SERVER_FILES } from './iggy-files.js';

const TEXT = `${MARK} ${'x'.repeat(5_000)} ${MARK}`;
const CODE = { snapshot: 11 };
const nodes: BrokerUnderTest[] = [];

async function aNode(key?: string): Promise<BrokerUnderTest> {
  const node = await anIggyNode(key === undefined ? {} : { key });
  nodes.push(node);
  return node;
}

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

async function withMessage(key?: string): Promise<BrokerUnderTest> {
  const node = await aNode(key);
  await node.start();
  const client = await clientOf(node);
  await client.createTopic(`name-of-${MARK}`);
  await client.send(`name-of-${MARK}`, [TEXT]);
  return node;
}

async function aStoppedNode(key?: string): Promise<BrokerUnderTest> {
  const node = await withMessage(key);
  await node.runtime.stop(node.home, 5_000);
  return node;
}

async function read(node: BrokerUnderTest): Promise<string[]> {
  return (await clientOf(node)).poll(`name-of-${MARK}`);
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the data of an encrypted node with iggy', () => {
  it.each([
    ['contains no message and no name of a stream, also in a frozen copy', KEY, false],
    ['contains both without a key, so the search works', undefined, true],
  ])('%s', async (_title, key, isReadable) => {
    const node = await withMessage(key);
    await node.runtime.freeze(node.home);

    const data = IGGY_FILES.data(node.home);
    for (const directory of [`${data}/streams`, `${data}/state`, frozenDirectory(node.home)]) {
      const files = await filesWith(directory, MARK);
      expect([directory, files.length > 0]).toEqual([directory, isReadable]);
    }
    // After a restart the log of the server names streams. No copy contains the log.
    expect(await filesWith(`${data}/logs`, TEXT)).toEqual([]);
  });

  it('is read again after a restart, and after SIGKILL of the server', async () => {
    const node = await withMessage(KEY);
    await node.runtime.kill(node.home);
    await node.start();
    expect(await read(node)).toEqual([TEXT]);

    await node.runtime.stop(node.home, 5_000);
    await node.start();

    expect(await read(node)).toEqual([TEXT]);
  });

  it('has its key in one private file outside the data, in no argument, environment or log, and otherwise in memory', async () => {
    const node = await withMessage(KEY);
    await node.runtime.freeze(node.home);

    expect(await filesWith(node.home.dir, KEY)).toEqual(['iggy.env']);
    expect((await stat(IGGY_FILES.environment(node.home))).mode & 0o077).toBe(0);
    const runtime = SERVER_FILES.runtime(IGGY_FILES.data(node.home));
    expect(await readlink(runtime)).toBe(IGGY_FILES.memory(node.home));
    // The server reports its configuration, with the key.
    expect(await filesWith(IGGY_FILES.memory(node.home), KEY)).toEqual(['server/current_config.toml']);
    // The snapshot of the server contains the configuration at this path.
    await expect(access(SERVER_FILES.shown(IGGY_FILES.data(node.home)))).rejects.toThrow('ENOENT');
    expect((await stat(nodeMemory(node.home.dir))).mode & 0o777).toBe(0o700);
    const pids = await pidsWith({ name: nodeFlag(node.home) });
    expect(pids).toHaveLength(1);
    for (const file of ['cmdline', 'environ'])
      expect(await readFile(`/proc/${pids[0]}/${file}`, 'utf8')).not.toContain(KEY);

    await node.runtime.stop(node.home, 5_000);

    await expect(access(nodeMemory(node.home.dir))).rejects.toThrow('ENOENT');
  });

  it('gives its key and its configuration to no client, over HTTP, TCP and WebSocket', async () => {
    const node = await withMessage(KEY);
    const { ports } = node.spec.listen;
    const http = await clientOf(node);
    const body = { compression: 'Deflated', snapshot_types: ['All'] };

    const answer = await http.call('POST', '/snapshot', body);

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toMatch(/current_config|encryption/);
    const open = [() => IggyFrames.open(ports.tcp ?? 0), () => IggyFrames.overWebSocket(ports.websocket ?? 0)];
    for (const connect of open) {
      const client = await connect();
      await client.signIn();
      const { status, payload } = await client.ask(CODE.snapshot, Buffer.from([1, 1, 100]));
      expect([status === 0, payload.length]).toEqual([false, 0]);
      client.close();
    }
  });

  it.each([
    ['another key', { key: OTHER_KEY }, 'the data of this node is encrypted with another key'],
    ['no key', undefined, 'the data of this node is encrypted, and the node has no key'],
    ['a key of the wrong length', { key: 'c2hvcnQ=' }, 'the key of the deployment does not have 32 bytes'],
  ])('refuses %s before it changes a file', async (_case, encryption, reason) => {
    const node = await aStoppedNode(KEY);
    const before = await filesIn(node.home.dir);

    if (encryption) node.spec.broker.encryption = encryption;
    else delete node.spec.broker.encryption;

    await expect(node.spawn()).rejects.toThrow(reason);
    expect(await pidsWith({ name: nodeFlag(node.home) })).toEqual([]);
    expect(await filesIn(node.home.dir)).toEqual(before);
    node.spec.broker.encryption = { key: KEY };
    await node.start();
    expect(await read(node)).toEqual([TEXT]);
  });

  it('is not mixed with data that is not encrypted', async () => {
    const node = await aStoppedNode();
    const before = await filesIn(node.home.dir);

    node.spec.broker.encryption = { key: KEY };

    await expect(node.spawn()).rejects.toThrow('the data of this node is not encrypted');
    expect(await filesIn(node.home.dir)).toEqual(before);
  });

  it('is not started while another user could read the memory of the node', async () => {
    const node = await aNode(KEY);
    await symlink('/dev/shm', nodeMemory(node.home.dir));

    try {
      await expect(node.spawn()).rejects.toThrow('is not a private directory of this user');
    } finally {
      await rm(nodeMemory(node.home.dir));
    }
    await node.start();
  });
});
