import { FakeS3 } from '@libs/testing';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openObjectStore } from './open-object-store.js';
import type { ObjectStore } from './object-store.js';

const MIB = 1024 * 1024;
/** Larger than one part of a multipart upload. */
const LARGE = randomBytes(12 * MIB);

interface StoreUnderTest {
  store: ObjectStore;
  /** The keys or files in the store. */
  names: () => Promise<string[]>;
  stop: () => Promise<void>;
}

const inFiles = async (): Promise<StoreUnderTest> => {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-objects-'));
  return {
    store: openObjectStore(undefined, dir),
    names: async () => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    stop: () => rm(dir, { recursive: true, force: true }),
  };
};

const inS3 = async (): Promise<StoreUnderTest> => {
  process.env['AWS_ACCESS_KEY_ID'] = 'test';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
  const fake = await FakeS3.start();
  return {
    store: openObjectStore(`s3://bucket/landlord?region=eu-central-1&endpoint=${fake.endpoint}`, '/nowhere'),
    names: async () => [...fake.objects.keys(), ...Array.from({ length: fake.openUploads }, () => 'unfinished')],
    stop: () => fake.stop(),
  };
};

describe.each([
  ['files', inFiles],
  ['S3', inS3],
])('A store in %s', (_kind, start) => {
  let setup: StoreUnderTest;
  beforeEach(async () => {
    setup = await start();
  });
  afterEach(() => setup.stop());

  const put = (key: string, body: Buffer | Readable, limit = 100 * MIB) =>
    setup.store.put(key, body instanceof Readable ? body : Readable.from([body]), limit);
  const get = async (key: string): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of await setup.store.get(key)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };

  it('returns the stored bytes, and reports their hash and size', async () => {
    const stored = await put('a/b/large.bin', LARGE);

    expect(stored).toEqual({ sha256: createHash('sha256').update(LARGE).digest('hex'), size_bytes: LARGE.length });
    expect((await get('a/b/large.bin')).equals(LARGE)).toBe(true);
    expect(await put('a/empty', Buffer.alloc(0))).toMatchObject({ size_bytes: 0 });
    expect(await get('a/empty')).toHaveLength(0);
  });

  it('names the first parts of its keys, each once', async () => {
    expect(await setup.store.folders()).toEqual([]);
    for (const key of ['b/one', 'a/x/two', 'a/three', 'alone']) await put(key, Buffer.from('x'));

    expect(await setup.store.folders()).toEqual(['a', 'b']);
    await setup.store.removeBelow('a/');
    expect(await setup.store.folders()).toEqual(['b']);
  });

  it('replaces an object under the same key, and has none after its removal', async () => {
    await put('a/one', Buffer.from('old'));
    await put('a/one', Buffer.from('new'));
    expect((await get('a/one')).toString()).toBe('new');

    await setup.store.remove('a/one');
    await setup.store.remove('a/one');
    await expect(get('a/one')).rejects.toMatchObject({ fault: 'missing' });
  });

  it('keeps nothing of an upload that is too large or breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield LARGE;
        throw new TypeError('the node died');
      })(),
    );

    await expect(put('a/large', LARGE, MIB)).rejects.toMatchObject({ fault: 'too_large' });
    await expect(put('a/broken', broken)).rejects.toMatchObject({ fault: 'unavailable' });
    expect(await setup.names()).toEqual([]);
  });

  it('removes the objects below a prefix, and no others', async () => {
    for (const key of ['d/1/x', 'd/1/y/z', 'd/12/x', 'e/1']) await put(key, Buffer.from('x'));

    await setup.store.removeBelow('d/1/');

    await expect(get('d/1/y/z')).rejects.toMatchObject({ fault: 'missing' });
    expect((await get('d/12/x')).toString()).toBe('x');
    expect((await get('e/1')).toString()).toBe('x');
    await setup.store.removeBelow('never/was/');
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a//b', 'a/.hidden', ''])('has no object under %j', async (key) => {
    await expect(get(key)).rejects.toMatchObject({ fault: 'missing' });
    await expect(put(key, Buffer.from('x'))).rejects.toMatchObject({ fault: 'missing' });
  });
});

describe('A store in files', () => {
  it('is private to its owner, and signs no URLs', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'landlord-objects-'));
    const store = openObjectStore(`file://${dir}`, '/nowhere');
    await store.put('a', Readable.from([Buffer.from('x')]), 10);

    expect((await stat(join(dir, 'a'))).mode & 0o777).toBe(0o600);
    expect(await store.sign('a', { seconds: 60, fileName: 'a' })).toBeNull();
    await rm(dir, { recursive: true });
  });

  it('reports a failed write', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'landlord-objects-'));
    await writeFile(join(dir, 'file'), '');
    const store = openObjectStore(`file://${dir}`, '/nowhere');

    const put = store.put('file/below', Readable.from([Buffer.from('x')]), 10);

    await expect(put).rejects.toMatchObject({ fault: 'unavailable' });
    await rm(dir, { recursive: true });
  });
});

describe('A store in S3', () => {
  it('signs URLs that any client can fetch for a limited time', async () => {
    const { store, stop } = await inS3();
    await store.put('a/report.zip', Readable.from([Buffer.from('zip')]), 10);

    const address = (await store.sign('a/report.zip', { seconds: 300, fileName: 'my "report".zip' })) ?? '';

    expect(await (await fetch(address)).text()).toBe('zip');
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('300');
    expect(new URL(address).searchParams.get('response-content-disposition')).toBe(
      'attachment; filename="my__report_.zip"',
    );
    await stop();
  });

  it('requires a valid URL', () => {
    expect(() => openObjectStore('ftp://x', '/')).toThrow('OBJECT_STORE_URL');
    expect(() => openObjectStore('s3://', '/')).toThrow('OBJECT_STORE_URL');
  });
});
