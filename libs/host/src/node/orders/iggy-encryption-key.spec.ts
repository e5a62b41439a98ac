import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import type { NodeOrder } from '@libs/domain';
import { describeWithIggy, IGGY_BINARIES, IggyHttp, numbered } from '@libs/testing';
import { fromBufferPromise } from 'yauzl';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';
import { unpacking } from './archive.js';

const KEY = randomBytes(32);
const ORDERS: NodeOrder[] = [
  { id: 1, kind: 'collect_diagnostics', parts: {}, options: { include_data: true, redact_secrets: false } },
  { id: 2, kind: 'archive_data', parts: {}, options: {} },
];

/** The files that contain the key, in the forms that programs write. */
function withKey(files: ReadonlyMap<string, Buffer>): string[] {
  const forms = [KEY, ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(KEY.toString(form)))];
  return [...files].filter(([, content]) => forms.some((form) => content.includes(form))).map(([name]) => name);
}

async function filesOf(directory: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(async (path) => [path.slice(directory.length + 1), await readFile(path)] as const);
  return new Map(await Promise.all(read));
}

async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}

async function untarred(archive: Buffer, directory: string): Promise<Map<string, Buffer>> {
  await mkdir(directory);
  await pipeline(Readable.from([archive]), await unpacking(directory));
  return filesOf(directory);
}

describeWithIggy('the key of an encrypted node with iggy', () => {
  let node: NodeUnderTest;
  beforeEach(async () => {
    node = await NodeUnderTest.create(IGGY_BINARIES);
    // Below the range of the private ports, which the server could get otherwise.
    Object.assign(node.spec.listen.ports, { http: (node.spec.listen.ports.tcp ?? 0) + 1 });
    node.spec.access_rules[0]?.protocols.push('http');
    node.spec.broker.encryption = { key: KEY.toString('base64') };
    node.gateway.publish(node.spec, 1);
    node.startAgent();
    await node.running(1);
  });
  afterEach(() => node.destroy());

  it('is in no part of a bundle whose secrets are not masked, in no backup and not below the data directory', async () => {
    const client = await IggyHttp.signIn(node.spec.listen.ports.http);
    await client.createTopic('orders');
    await client.send('orders', numbered(100));

    node.gateway.publish({ ...node.spec, orders: ORDERS }, 2);
    const { orders } = await until('both orders end', () =>
      node.gateway.statuses.findLast(({ orders: ended = [] }) => ended.length === ORDERS.length),
    );

    expect(orders?.map(({ id, status }) => [id, status])).toEqual([
      [1, 'done'],
      [2, 'done'],
    ]);
    const part = (name: string): Buffer => node.gateway.objects.get(name) ?? Buffer.alloc(0);
    const diagnostics = gunzipSync(part('1/diagnostics'));
    expect(JSON.parse(diagnostics.toString())).toMatchObject({ failures: [] });
    const bundle = await unzipped(part('1/data'));
    const backup = await untarred(part('2/data'), join(node.home.dir, 'unpacked'));
    for (const files of [bundle, backup])
      expect([...files.keys()].filter((name) => /^streams\/.+\.log$/.test(name))).not.toEqual([]);
    expect([...bundle.keys()]).toContain('server-snapshot/server_logs.txt');
    const found = [new Map([['diagnostics', diagnostics]]), bundle, backup].map(withKey);
    expect(found).toEqual([[], [], []]);
    expect(withKey(await filesOf(join(node.home.dir, 'data')))).toEqual([]);
    // The search finds the key where the server reads it.
    expect(withKey(await filesOf(node.home.dir))).toContain('iggy.env');
  });
});
