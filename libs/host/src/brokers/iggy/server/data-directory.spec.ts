import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeWithIggy, IggyHttp, numbered } from '@libs/testing';
import { until, type BrokerUnderTest } from '../../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../../test/brokers/iggy.fixture.js';
import { IGGY_FILES, SERVER_FILES } from '../iggy-files.js';

const nodes: BrokerUnderTest[] = [];

async function aNode(): Promise<BrokerUnderTest> {
  const node = await anIggyNode();
  nodes.push(node);
  await node.start();
  return node;
}

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describeWithIggy('the data directory of an iggy node', () => {
  it('becomes ready independent of the clock of the machine', async () => {
    const node = await aNode();

    await utimes(SERVER_FILES.reported(IGGY_FILES.data(node.home)), 0, 0);

    expect(await node.runtime.contact(node.home)).toMatchObject({ ready: true });
  });

  it.each([
    [
      'of another line',
      'state/info',
      '\u0092\u0092\u00a50.9.0',
      /written by iggy 0\.9\.0, which iggy-server 0\.8\.0 cannot read/,
    ],
    ['of a pre-release', 'state/info', '0.8.0-edge.3', /written by iggy 0\.8\.0-edge\.3/],
    ['of a layout of another line', 'metadata/wal', '', /not written by iggy 0\.8: it contains metadata/],
  ])('does not start on data %s', async (_case, file, content, reason) => {
    const node = await anIggyNode();
    nodes.push(node);
    const path = join(IGGY_FILES.data(node.home), file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, 'latin1');

    await expect(node.spawn()).rejects.toThrow(reason);

    expect(await readFile(path, 'latin1')).toBe(content);
  });

  it('does not start beside another process that has its data open', async () => {
    const node = await aNode();
    await node.runtime.stop(node.home, 5_000);
    const path = join(IGGY_FILES.data(node.home), 'state', 'log');
    const other = spawn('tail', ['-f', path], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(other.stdout, 'data');

    await expect(node.spawn()).rejects.toThrow(`process ${other.pid} uses the data directory of this node`);
    other.kill();
    await once(other, 'exit');

    await node.start();
  });

  it('reports a torn state log as damaged data, and never as running', async () => {
    const node = await aNode();
    await (await clientOf(node)).createTopic('orders');
    await node.runtime.stop(node.home, 5_000);
    const log = join(IGGY_FILES.data(node.home), 'state', 'log');
    await truncate(log, (await stat(log)).size - 5);
    const startedMs = Date.now();

    await node.spawn();
    await node.exited;

    const reason = await node.runtime.lastError?.(node.home, startedMs);
    expect(reason).toMatch(/^iggy-server cannot read its data directory: .+\. Restore a backup/);
    expect(await node.runtime.contact(node.home)).toBeNull();
  });

  it('is never served with a torn segment, and is served after a purge', async () => {
    const node = await aNode();
    const client = await clientOf(node);
    await client.createTopic('torn');
    await client.createTopic('purged');
    await client.send('torn', numbered(50));
    await client.send('purged', numbered(50));
    expect((await client.call('DELETE', '/streams/purged/topics/purged/purge')).status).toBe(204);
    await node.runtime.stop(node.home, 5_000);
    await node.start();
    await node.runtime.stop(node.home, 5_000);
    const data = IGGY_FILES.data(node.home);
    const files = await readdir(data, { recursive: true });
    const segments = files.filter((name) => name.startsWith('streams/0/') && name.endsWith('.log'));
    await truncate(join(data, segments[0] ?? ''), 10);

    await node.spawn();
    const reason = await until('the reason', async () => {
      const contact = await node.runtime.contact(node.home);
      return contact?.reason?.match(/the data is damaged.*/);
    });

    expect(reason[0]).toBe('the data is damaged: stream 0, topic 0, partition 0. Restore a backup.');
    expect(await node.runtime.contact(node.home)).toMatchObject({ ready: false });
    await expect(clientOf(node)).rejects.toThrow('refused with 503');
  });
});
