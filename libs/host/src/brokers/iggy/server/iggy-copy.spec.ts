import { access, cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverRootPassword } from '@libs/domain/server-root';
import { IggyHttp, describeWithIggy, numbered } from '@libs/testing';
import { until, type BrokerUnderTest } from '../../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../../test/brokers/iggy.fixture.js';
import { frozenDirectory, nodeFlag } from '../../../control/node-home.js';
import { pidsWith } from '../../../os/process-table.js';
import { IGGY_FILES } from '../iggy-files.js';

const nodes: BrokerUnderTest[] = [];

async function aNode(): Promise<BrokerUnderTest> {
  const node = await anIggyNode();
  nodes.push(node);
  await node.start();
  return node;
}

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

/** All files below a directory with this suffix. */
async function filesIn(directory: string, suffix: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  return entries.filter((name) => name.endsWith(suffix)).map((name) => join(directory, name));
}

/** The node runs again, with the frozen copy as its data. */
async function restored(node: BrokerUnderTest): Promise<void> {
  await node.runtime.stop(node.home, 5_000);
  await rm(IGGY_FILES.data(node.home), { recursive: true });
  await cp(frozenDirectory(node.home), IGGY_FILES.data(node.home), { recursive: true });
  await node.start();
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('a copy of the data of an iggy node', () => {
  it('contains everything that was acknowledged before, while clients write on', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(500));
    let isWriting = true;
    const writing = (async () => {
      for (let next = 500; isWriting; next += 10) await client.send('orders', numbered(10, next));
    })();

    await node.runtime.freeze(node.home);
    isWriting = false;
    await writing;
    await restored(node);

    const messages = await (await clientOf(node)).poll('orders', 100_000);
    expect(messages.length).toBeGreaterThanOrEqual(500);
    expect(messages).toEqual(numbered(messages.length));
  });

  it('contains no configuration, no log and no secret of the server, and leaves no process', async () => {
    const node = await aNode();
    await (await clientOf(node)).createTopic('orders');

    await node.runtime.freeze(node.home);

    expect((await readdir(frozenDirectory(node.home))).sort()).toEqual(['state', 'streams']);
    const environment = await readFile(IGGY_FILES.environment(node.home), 'utf8');
    const [, secret = ''] = /IGGY_ROOT_PASSWORD="(.+)"/.exec(environment) ?? [];
    expect(secret).toHaveLength(64);
    for (const file of await filesIn(frozenDirectory(node.home), 'log'))
      expect([file, (await readFile(file)).includes(secret)]).toEqual([file, false]);
    expect(await pidsWith({ name: `${nodeFlag(node.home)}/trial` })).toEqual([]);
  });

  it('is complete when the broker is stopped, which stays stopped', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(50));
    await node.runtime.stop(node.home, 5_000);

    await node.runtime.freeze(node.home);

    expect(await node.runtime.contact(node.home)).toBeNull();
    await restored(node);
    expect(await (await clientOf(node)).poll('orders')).toEqual(numbered(50));
  });

  it('is refused when a segment is torn, and when the state is torn', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('orders');
    await client.send('orders', numbered(50));
    await node.runtime.stop(node.home, 5_000);
    const data = IGGY_FILES.data(node.home);
    const [segment = ''] = await filesIn(join(data, 'streams'), '.log');
    await truncate(segment, 10);

    await expect(node.runtime.freeze(node.home)).rejects.toThrow(
      'the copy of the data cannot be read: stream 0, topic 0, partition 0',
    );
    await writeFile(join(data, 'state', 'log'), 'x');
    await expect(node.runtime.freeze(node.home)).rejects.toThrow(
      /the copy of the data cannot be read: iggy-server cannot/,
    );
    await expect(access(join(node.home.dir, 'iggy-trial'))).rejects.toThrow('ENOENT');
  });

  it('keeps passwords that ended after the copy out, and lets the current one in', async () => {
    const node = await aNode();
    await (await clientOf(node)).createTopic('orders');
    await node.runtime.freeze(node.home);
    await node.rotate('a newer password', null);

    await restored(node);

    const { http } = node.spec.listen.ports;
    await expect(clientOf(node)).rejects.toThrow('refused with 400');
    expect(await (await IggyHttp.signIn(http, 'a newer password')).poll('orders')).toEqual([]);
  });

  it('becomes the data of a node of another deployment, whose secret replaces that of the source', async () => {
    const source = await aNode();
    const client = await clientOf(source);
    await client.createTopic('orders');
    await client.send('orders', numbered(20));
    await source.runtime.freeze(source.home);
    const node = await anIggyNode({ cluster: { ...source.spec.cluster, secret: 'of the other deployment' } });
    nodes.push(node);
    node.spec.credentials.password = 'its own password';
    node.spec.broker.copied_root = serverRootPassword(source.spec.cluster.secret);

    await node.runtime.adopt(node.home, frozenDirectory(source.home), node.spec);
    await cp(frozenDirectory(source.home), IGGY_FILES.data(node.home), { recursive: true });
    await node.start();

    const { http } = node.spec.listen.ports;
    expect(await (await IggyHttp.signIn(http, 'its own password')).poll('orders')).toEqual(numbered(20));
    await expect(clientOf(node)).rejects.toThrow('refused with 400');
  });

  it('is refused as data of another deployment with a wrong secret', async () => {
    const source = await aNode();
    await source.runtime.freeze(source.home);
    const spec = { ...source.spec, broker: { ...source.spec.broker, copied_root: 'of no deployment' } };

    await expect(source.runtime.adopt(source.home, frozenDirectory(source.home), spec)).rejects.toThrow(
      'iggy-server refused the sign-in',
    );
  });

  it('does not stop the server for longer than the copy takes, also after a crash of the agent', async () => {
    const node = await aNode();
    const { pid } = await node.ready();
    process.kill(pid, 'SIGSTOP');

    await node.runtime.thaw(node.home);

    await until('the server answers', () => node.runtime.contact(node.home).catch(() => null));
  });
});
