import { randomBytes } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aNodeSpec, BrokerUnderTest, inboxOf, lastWords, until } from '../../../../test/brokers/embedded.fixture.js';
import { filesIn, filesWith, KEY, MARK, OTHER_KEY } from '../../../../test/brokers/encrypted-data.fixture.js';
import { ValueCipher } from '../../encryption/value-cipher.js';

/** Longer than a block of the store, and not compressible to less than a block. */
const MESSAGE = Buffer.concat([Buffer.from(MARK), randomBytes(20_000), Buffer.from(MARK)]);

const running: BrokerUnderTest[] = [];
async function aBroker(key?: string): Promise<BrokerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec(key === undefined ? {} : { key }));
  running.push(broker);
  return broker;
}
afterEach(async () => {
  await Promise.all(running.splice(0).map((broker) => broker.destroy()));
});

/** Stores the message as retained, in the queue of an offline session, and as a last will. */
async function storeMessages(broker: BrokerUnderTest): Promise<void> {
  const session = await broker.client({ clientId: 'offline', clean: false });
  await session.subscribeAsync('orders/#', { qos: 1 });
  await session.endAsync();
  const will = { topic: 'wills/1', payload: MESSAGE, qos: 1 as const, retain: false };
  const client = await broker.client({ clientId: 'writer', will });
  await client.publishAsync('orders/1', MESSAGE, { qos: 1 });
  await client.publishAsync('state', MESSAGE, { qos: 1, retain: true });
  await client.publishAsync('orders/2', MESSAGE, { qos: 2 });
  await client.endAsync();
}

describe('the data of an encrypted node', () => {
  it('contains no message, in the data directory and in its frozen copy', async () => {
    for (const [key, isReadable] of [
      [KEY, false],
      [undefined, true],
    ] as const) {
      const broker = await aBroker(key);
      await broker.start();
      await storeMessages(broker);
      await broker.runtime.freeze(broker.home);

      const { dir } = broker.home;
      for (const directory of [join(dir, 'data'), join(dir, 'frozen')])
        expect([key, (await filesWith(directory, MARK)).length > 0]).toEqual([key, isReadable]);
      // The file of the broker is private and contains the key. No output of the broker does.
      if (key !== undefined) expect(await broker.log()).not.toContain(key);
    }
  });

  it('is read again after a restart: retained messages and the queue of a session', async () => {
    const broker = await aBroker(KEY);
    await broker.start();
    await storeMessages(broker);
    await broker.runtime.stop(broker.home, 3_000);
    await broker.start();

    const { client, inbox } = await broker.reader({ clientId: 'offline', clean: false });
    const reader = await broker.client();
    const retained = inboxOf(reader);
    await reader.subscribeAsync('state', { qos: 1 });

    await until('the messages', () => inbox.length === 2 && retained.length === 1);
    expect(inbox.map(({ topic }) => topic).sort()).toEqual(['orders/1', 'orders/2']);
    expect(retained[0]?.text).toBe(MESSAGE.toString());
    await Promise.all([client.endAsync(), reader.endAsync()]);
  });

  it.each([
    ['another key', { key: OTHER_KEY }, 'the data of this node is encrypted with another key'],
    ['no key', undefined, 'the data of this node is encrypted, and the node has no key'],
    ['a key of the wrong length', { key: 'c2hvcnQ=' }, 'the key of the deployment does not have 32 bytes'],
  ])('refuses %s before it changes a file', async (_case, encryption, reason) => {
    const broker = await aBroker(KEY);
    await broker.start();
    await storeMessages(broker);
    await broker.runtime.stop(broker.home, 3_000);
    const before = await filesIn(join(broker.home.dir, 'data'));

    if (encryption) broker.spec.broker.encryption = encryption;
    else delete broker.spec.broker.encryption;
    await broker.spawn();

    expect(await broker.exited).toMatchObject({ code: 1 });
    expect(lastWords(await broker.log())).toMatchObject({ level: 'error', msg: reason });
    expect(await filesIn(join(broker.home.dir, 'data'))).toEqual(before);
  });

  it('is not mixed with data that is not encrypted', async () => {
    const broker = await aBroker();
    await broker.start();
    await storeMessages(broker);
    await broker.runtime.stop(broker.home, 3_000);

    broker.spec.broker.encryption = { key: KEY };
    await broker.spawn();

    expect(await broker.exited).toMatchObject({ code: 1 });
    expect(lastWords(await broker.log())).toMatchObject({ msg: 'the data of this node is not encrypted' });
  });

  it('is refused after a change of its check value', async () => {
    const broker = await aBroker(KEY);
    await broker.start();
    await broker.runtime.stop(broker.home, 3_000);
    const file = join(broker.home.dir, 'data', 'encryption.json');
    const stored = JSON.parse(await readFile(file, 'utf8')) as { key_id: string };
    await writeFile(
      file,
      JSON.stringify({ ...stored, check: new ValueCipher(OTHER_KEY).seal(Buffer.from('landlord')) }),
    );

    await broker.spawn();

    expect(await broker.exited).toMatchObject({ code: 1 });
  });
});

describe('the data of another deployment', () => {
  const copyOf = async (key: string | undefined): Promise<string> => {
    const broker = await aBroker(key);
    await broker.start();
    await storeMessages(broker);
    await broker.runtime.stop(broker.home, 3_000);
    return join(broker.home.dir, 'data');
  };

  it.each([
    ['encrypted', OTHER_KEY],
    ['plain', undefined],
  ])('that is %s is encrypted again, and the node reads it with its own key only', async (_kind, sourceKey) => {
    const copy = await copyOf(sourceKey);
    const broker = await aBroker(KEY);
    broker.spec.broker.encryption = { key: KEY, source: { key: sourceKey ?? null } };

    await broker.runtime.adopt(broker.home, copy, broker.spec);

    expect(await filesWith(copy, MARK)).toEqual([]);
    expect(JSON.parse(await readFile(join(copy, 'encryption.json'), 'utf8')).key_id).toBe(new ValueCipher(KEY).keyId);
    broker.spec.broker.encryption = { key: KEY };
    await cp(copy, join(broker.home.dir, 'data'), { recursive: true });
    await broker.start();
    const { client, inbox } = await broker.reader({ clientId: 'offline', clean: false });
    await until('the queue', () => inbox.length === 2);
    await client.endAsync();
    expect(await readFile(join(broker.home.dir, 'broker.json'), 'utf8')).not.toContain(OTHER_KEY);
  });

  it.each([
    ['another key', OTHER_KEY],
    ['no key', null],
  ])('is refused with %s, and does not change', async (_case, key) => {
    const copy = await copyOf(KEY);
    const before = await filesIn(copy);
    const { home, spec, runtime } = await aBroker();
    spec.broker.encryption = { key: OTHER_KEY, source: { key } };

    await expect(runtime.adopt(home, copy, spec)).rejects.toThrow('encrypted');
    expect(await filesIn(copy)).toEqual(before);
  });

  it('does not change without a source', async () => {
    const copy = await copyOf(KEY);
    const before = await filesIn(copy);
    const broker = await aBroker(KEY);

    await broker.runtime.adopt(broker.home, copy, broker.spec);

    expect(await filesIn(copy)).toEqual(before);
  });
});
