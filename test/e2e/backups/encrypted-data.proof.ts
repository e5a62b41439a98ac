import { describeWithNats, NATS_SERVER, TestCloud, TestDeployment } from '@libs/testing';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unzipped } from '../nodes/snapshot-archive.js';

/** Nine times the same three bytes, so that base64 has the same characters at any position. */
const MARK = 'mrk'.repeat(9);
const NEEDLES = [MARK, ...['mrk', 'rkm', 'kmr'].map((word) => Buffer.from(word.repeat(8)).toString('base64'))];

describe('The stored data of a deployment on the embedded broker', () => {
  storedDataSuite(() => TestCloud.borrow());
});

describeWithNats('The stored data of a deployment on nats', () => {
  storedDataSuite(() => TestCloud.start({ env: { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' } }));
});

/** The data directory, the backups and the snapshots of an encrypted deployment, next to those of a plain one. */
function storedDataSuite(open: () => Promise<TestCloud>): void {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await open();
  });
  afterAll(() => cloud.stop());

  /** The contents of all files below a directory. Archives are unpacked. */
  const contentsOf = async (directory: string): Promise<Buffer[]> => {
    const entries = await readdir(directory, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return (await Promise.all(files.map(async (file) => unpacked(await readFile(file))))).flat();
  };
  const unpacked = async (content: Buffer): Promise<Buffer[]> => {
    if (content.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return [content, gunzipSync(content)];
    if (!content.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return [content];
    const inner = [...(await unzipped(content)).values()];
    return [content, ...(await Promise.all(inner.map(unpacked))).flat()];
  };
  const hasMark = (contents: Buffer[]): boolean =>
    contents.some((content) => NEEDLES.some((needle) => content.includes(needle)));

  it.each([
    ['of an encrypted deployment contains no message', true],
    ['of a plain deployment contains the message, so the search works', false],
  ])('%s', async (_title, encrypted) => {
    const deployment = await TestDeployment.paid(cloud, { encrypted });
    await deployment.permit();
    const client = await deployment.letsIn();
    await client.publishAsync('orders/1', Buffer.from(`${MARK} ${'x'.repeat(5_000)}`), { qos: 1, retain: true });
    await client.endAsync();

    const backup = await cloud.runtime().post(`${deployment.live}/backups`, { name: 'searched' });
    await deployment.succeeds(backup);
    const snapshot = await cloud.runtime().post(`${deployment.live}/snapshots`, {});
    await deployment.succeeds(snapshot);

    const nodes = await Promise.all(
      (await deployment.nodes()).map(({ id }) => contentsOf(join(cloud.directory, 'nodes', String(id), 'data'))),
    );
    const stored = join(cloud.directory, 'objects/deployments', String(deployment.id));
    const [backups, snapshots] = await Promise.all([
      contentsOf(join(stored, 'backups')),
      contentsOf(join(stored, 'snapshots')),
    ]);
    expect([nodes.flat(), backups, snapshots].map(hasMark)).toEqual(Array(3).fill(!encrypted));

    const restored = await cloud
      .runtime()
      .post(`${deployment.live}/backups/${backup.headers.get('ld-backup')}/restore`);
    await deployment.succeeds(restored);
    const reader = await deployment.letsIn();
    const received = new Promise((resolve) =>
      reader.once('message', (_topic, payload: Buffer) => resolve(payload.toString())),
    );
    await reader.subscribeAsync('orders/#', { qos: 1 });
    expect(await received).toContain(MARK);
    await reader.endAsync();
  });
}
