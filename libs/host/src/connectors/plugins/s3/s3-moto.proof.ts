import { freePorts, MotoServer, skippedSuite } from '@libs/testing';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import { S3Sink } from './s3-sink.js';

const missing = await MotoServer.install();
const suite =
  missing === null ? describe : skippedSuite(`moto is not available, ${missing}`, 'Install python3 with venv');

suite('the S3 sink with an S3 server of another project', () => {
  let moto: MotoServer;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    moto = await MotoServer.start(port);
    await moto.createBucket('events');
  });
  afterAll(() => moto.stop());

  const aSink = (values: Record<string, unknown> = {}): SinkUnderTest => {
    const access = { region: 'us-east-1', access_key_id: 'key', secret_access_key: 'secret' };
    const options = new PluginOptions({ ...access, bucket: 'events', endpoint: moto.endpoint, ...values });
    return new SinkUnderTest(new S3Sink(options, A_CONTEXT));
  };

  it('stores batches as objects, and a repetition overwrites them', async () => {
    const sink = aSink({ prefix: 'a b/ü', include_metadata: false });
    await sink.plugin.open();
    for (let time = 0; time < 2; time++) await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 'ü' }));
    await sink.plugin.close();

    const objects = await moto.objects('events');
    expect([...objects.values()]).toEqual(['{"n":1}\n{"n":"ü"}\n']);
    expect([...objects.keys()][0]).toMatch(/^a b\/ü\/demo\/numbers\/2023-11-14\/22\/[0-9a-f]{32}\.jsonl$/);
  });

  it('fails as a whole when the bucket does not exist', async () => {
    const sink = aSink({ bucket: 'nothing' });
    await expect(sink.plugin.open()).rejects.toThrow('the bucket nothing does not exist');
    await expect(sink.deliver(aMessage('a', { n: 1 }))).rejects.toThrow(/NoSuchBucket/);
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
    await sink.plugin.close();
  });
});
