import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { inboxOf, until, type BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import {
  filesIn,
  filesWith,
  KEY,
  MARK,
  OTHER_KEY,
  storeMessages,
} from '../../../test/brokers/encrypted-data.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { nodeFlag } from '../../control/node-home.js';
import { pidsWith } from '../../os/process-table.js';
import { NATS_FILES } from './nats-files.js';

const MESSAGE = `${MARK} ${'x'.repeat(5_000)} ${MARK}`;
const running: BrokerUnderTest[] = [];

async function aNode(key?: string): Promise<BrokerUnderTest> {
  const node = await aNatsNode(NATS_SERVER, key === undefined ? {} : { key });
  running.push(node);
  return node;
}

/** A node that was started, has messages, and was stopped. */
async function aStoppedNode(key?: string): Promise<BrokerUnderTest> {
  const node = await aNode(key);
  await node.start();
  await storeMessages(node, MESSAGE);
  await node.runtime.stop(node.home, 5_000);
  return node;
}

/** The retained message, and the messages in the queue of the offline session. */
async function readAll(node: BrokerUnderTest): Promise<void> {
  const { client, inbox } = await node.reader({ clientId: 'offline', clean: false });
  const reader = await node.client();
  const retained = inboxOf(reader);
  await reader.subscribeAsync('state', { qos: 1 });
  await until('the messages', () => inbox.length > 0 && retained.length > 0);
  expect([inbox[0], retained[0]]).toMatchObject([
    { topic: 'orders/1', text: MESSAGE },
    { topic: 'state', text: MESSAGE },
  ]);
  await Promise.all([client.endAsync(), reader.endAsync()]);
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.destroy()));
});

describeWithNats('the data of an encrypted node with nats', () => {
  it('contains no message in the data directory and in its frozen copy, also after a restart', async () => {
    for (const [key, isReadable] of [
      [KEY, false],
      [undefined, true],
    ] as const) {
      const node = await aStoppedNode(key);
      await node.start();
      await storeMessages(node, MESSAGE);
      await node.runtime.freeze(node.home);

      for (const directory of [NATS_FILES.data(node.home), join(node.home.dir, 'frozen')])
        expect([key, (await filesWith(directory, MARK)).length > 0]).toEqual([key, isReadable]);
    }
  });

  it('is read again after a restart: retained messages and the queue of a session', async () => {
    const node = await aStoppedNode(KEY);

    await node.start();

    await readAll(node);
  });

  it('is read again after kills of a running server, and contains no message that was stored between them', async () => {
    const node = await aNode(KEY);
    for (let round = 1; round <= 3; round += 1) {
      await node.start();
      await storeMessages(node, MESSAGE);
      await node.runtime.kill(node.home);
      expect(await filesWith(NATS_FILES.data(node.home), MARK)).toEqual([]);
    }

    await node.start();

    await readAll(node);
  });

  it('is read again after a kill of the server at any time of its start', async () => {
    const node = await aStoppedNode(KEY);
    for (let waitMs = 0; waitMs <= 60; waitMs += 6) {
      await node.spawn();
      await new Promise((wake) => setTimeout(wake, waitMs));
      await node.runtime.kill(node.home);
    }

    await node.start();

    await readAll(node);
  });

  it('is read again after a kill between the deletion of the keys of streams and the new keys', async () => {
    const node = await aStoppedNode(KEY);
    await node.spawn();
    await node.runtime.kill(node.home);
    const streams = join(NATS_FILES.data(node.home), 'jetstream', '$G', 'streams');
    for (const name of ['$MQTT_msgs', '$MQTT_rmsgs', '$MQTT_sess'])
      await rm(join(streams, name, 'meta.key'), { force: true });
    await node.runtime.freeze(node.home);
    expect((await filesIn(join(node.home.dir, 'frozen'))).has('jetstream/$G/streams/$MQTT_msgs/meta.key')).toBe(true);

    await node.start();

    await readAll(node);
    await expect(stat(NATS_FILES.streamKeys(node.home))).rejects.toMatchObject({ code: 'ENOENT' });
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
    expect(await pidsWith([nodeFlag(node.home)])).toEqual([]);
    expect(await filesIn(node.home.dir)).toEqual(before);
    node.spec.broker.encryption = { key: KEY };
    await node.start();
    await readAll(node);
  });

  it('is not mixed with data that is not encrypted', async () => {
    const node = await aStoppedNode();
    const before = await filesIn(node.home.dir);

    node.spec.broker.encryption = { key: KEY };

    await expect(node.spawn()).rejects.toThrow('the data of this node is not encrypted');
    expect(await filesIn(node.home.dir)).toEqual(before);
  });

  it('has its key in one private file outside the data, and in no argv, environment or log', async () => {
    const node = await aNode(KEY);
    await node.start();
    await storeMessages(node, MESSAGE);

    expect(await filesWith(node.home.dir, KEY)).toEqual(['nats.conf']);
    expect((await stat(NATS_FILES.config(node.home))).mode & 0o077).toBe(0);
    const pids = await pidsWith([nodeFlag(node.home)]);
    // nats-server and its gate.
    expect(pids).toHaveLength(2);
    for (const pid of pids)
      for (const file of ['cmdline', 'environ'])
        expect(await readFile(`/proc/${pid}/${file}`, 'utf8')).not.toContain(KEY);
  });
});
