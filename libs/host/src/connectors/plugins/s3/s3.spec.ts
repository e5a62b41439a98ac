import { FakeS3 } from '@libs/testing';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import { S3Sink } from './s3-sink.js';

const ACCESS = { bucket: 'events', region: 'eu-central-1', access_key_id: 'key', secret_access_key: 'secret' };
let fake: FakeS3;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  fake = await FakeS3.start();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await fake.stop();
});

function aSink(values: Record<string, unknown> = {}, allowPrivate = true): SinkUnderTest {
  const options = new PluginOptions({ ...ACCESS, endpoint: fake.endpoint, ...values });
  const sink = new S3Sink(options, { ...A_CONTEXT, allowPrivate });
  ends.push(() => sink.close());
  return new SinkUnderTest(sink);
}
const objects = (): [string, string][] => [...fake.objects].map(([key, content]) => [key, content.toString()]);

describe('the S3 sink', () => {
  it('puts a batch of each topic into one object, whose name a repetition has again', async () => {
    const sink = aSink({ prefix: '/shop/', include_metadata: false });
    const other = aMessage('c', { n: 3 }, { topic: 'other' });
    await sink.deliver(aMessage('a', { n: 1 }), other, aMessage('b', { n: 2 }));
    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }));

    expect(objects().sort()).toEqual([
      [expect.stringMatching(/^shop\/demo\/numbers\/2023-11-14\/22\/[0-9a-f]{32}\.jsonl$/), '{"n":1}\n{"n":2}\n'],
      [expect.stringMatching(/^shop\/demo\/other\/2023-11-14\/22\/[0-9a-f]{32}\.jsonl$/), '{"n":3}\n'],
    ]);
    expect(sink.taken).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  it('ends a file by its size or its number of messages', async () => {
    const messages = [1, 2, 3, 4, 5].map((n) => aMessage(`m-${n}`, { n }));
    const bySize = aSink({
      prefix: 'size',
      include_metadata: false,
      max_file_size: '16 B',
      output_format: 'json_array',
    });
    await bySize.deliver(...messages);
    expect(objects().map(([, content]) => content)).toEqual(['[{"n":1},{"n":2}]', '[{"n":3},{"n":4}]', '[{"n":5}]']);

    fake.objects.clear();
    const byNumber = aSink({ include_metadata: false, file_rotation: 'messages', max_messages_per_file: 3 });
    await byNumber.deliver(...messages);
    expect(objects().map(([, content]) => content.trim().split('\n').length)).toEqual([3, 2]);
  });

  it('stores exact bytes, or the metadata with each message', async () => {
    await aSink({ output_format: 'raw' }).deliver(aMessage('a', '', { payload: Buffer.from([0, 255]), schema: 'raw' }));
    expect([...fake.objects.values()]).toEqual([Buffer.from([0, 255])]);

    fake.objects.clear();
    await aSink({ path_template: 'all' }).deliver(aMessage('b', { n: 1 }));
    expect(objects()).toEqual([
      [expect.stringMatching(/^all\//), expect.stringContaining('{"metadata":{"id":"b","stream":"demo"')],
    ]);
  });

  it('refuses a message that cannot be mapped, and fails as a whole when the bucket does not work', async () => {
    const sink = aSink();
    await sink.deliver(aMessage('text', 'no json'), aMessage('a', { n: 1 }));
    expect([sink.taken, sink.refused]).toEqual([['a'], { text: 'the payload is not JSON' }]);

    fake.failures = 10;
    await expect(sink.deliver(aMessage('b', { n: 2 }))).rejects.toThrow(/the object was not stored/);
    expect(sink.taken).toEqual(['a']);
  });

  it('needs credentials of its configuration, whatever the environment has', () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'ambient';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'ambient';
    try {
      expect(() => aSink({ access_key_id: undefined })).toThrow(/access_key_id is required/);
    } finally {
      delete process.env['AWS_ACCESS_KEY_ID'];
      delete process.env['AWS_SECRET_ACCESS_KEY'];
    }
  });

  it('reaches no private address where they are not allowed, and no host that a region names', () => {
    expect(() => aSink({}, false)).toThrow(/endpoint/);
    expect(() => aSink({ endpoint: 'https://169.254.169.254' })).toThrow(/endpoint/);
    expect(() => aSink({ endpoint: undefined, region: 'x@127.0.0.1/' })).toThrow(/region/);
    expect(() => aSink({ path_template: '{secret}' })).toThrow(/unknown placeholder/);
  });
});
