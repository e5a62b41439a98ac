import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesIn } from '../../../test/brokers/encrypted-data.fixture.js';
import { StreamKeys } from './stream-keys.js';

const STREAM = 'jetstream/$G/streams/orders';

describe('The keys of encrypted streams during a start', () => {
  let dir: string;
  let data: string;
  let keys: StreamKeys;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-stream-keys-'));
    data = join(dir, 'data');
    keys = new StreamKeys(join(dir, 'kept'));
    await mkdir(join(data, STREAM, 'msgs'), { recursive: true });
    await describeStream('first');
    await writeFile(join(data, STREAM, 'msgs', '1.blk'), 'messages');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function describeStream(version: string): Promise<void> {
    for (const name of ['meta.key', 'meta.inf', 'meta.sum']) await writeFile(join(data, STREAM, name), version);
  }
  const key = (): Promise<string | null> => readFile(join(data, STREAM, 'meta.key'), 'utf8').catch(() => null);

  it('are put back by the next start, when the start was interrupted', async () => {
    await keys.keep(data);
    await rm(join(data, STREAM, 'meta.key'));
    await writeFile(join(data, STREAM, 'meta.inf'), 'half');

    await keys.keep(data);

    expect([...(await filesIn(join(data, STREAM))).values()].map(String)).toEqual([
      'first',
      'first',
      'first',
      'messages',
    ]);
  });

  it('are not put back after a finished start, which has written new ones', async () => {
    await keys.keep(data);
    await describeStream('second');
    await keys.forget();

    await keys.keep(data);
    expect(await key()).toBe('second');
    await rm(join(data, STREAM, 'meta.key'));
    await keys.keep(data);

    expect(await key()).toBe('second');
  });

  it('never include messages, files of incomplete streams, or streams that were deleted', async () => {
    await mkdir(join(data, 'jetstream/$G/streams/incomplete'));
    await writeFile(join(data, 'jetstream/$G/streams/incomplete/meta.key'), 'alone');
    await keys.keep(data);
    await rm(join(data, STREAM), { recursive: true });

    expect([...(await filesIn(join(dir, 'kept'))).keys()]).toEqual(
      ['meta.inf', 'meta.key', 'meta.sum'].map((name) => join(STREAM, name)),
    );
    await keys.keep(data);

    expect([...(await filesIn(data)).keys()]).toEqual(['jetstream/$G/streams/incomplete/meta.key']);
  });

  it('need no data', async () => {
    await rm(data, { recursive: true });

    await keys.keep(data);
    await keys.putBack(data);
    await keys.forget();

    expect([...(await filesIn(dir)).keys()]).toEqual([]);
  });
});
