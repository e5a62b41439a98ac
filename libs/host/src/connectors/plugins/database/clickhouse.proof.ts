import { skippedSuite } from '@libs/testing';
import { ClickhouseServer, hasClickhouse } from '../../../../test/brokers/clickhouse.fixture.js';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import { ClickhouseSink } from './clickhouse-sink.js';

const suite = hasClickhouse()
  ? describe
  : skippedSuite('clickhouse-server is missing', 'Run "npm run database:clickhouse" on Debian');

suite('the ClickHouse sink with a real server', () => {
  let server: ClickhouseServer;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await ClickhouseServer.start();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  beforeEach(async () => {
    await server.query('drop table if exists events');
    await server.query('create table events (n Int32, text String) engine = MergeTree order by n');
  });

  const aSink = (values: Record<string, unknown> = {}): SinkUnderTest => {
    const options = { url: server.url, table: 'events', password: server.password, max_retries: 0, ...values };
    const sink = new ClickhouseSink(new PluginOptions(options), A_CONTEXT);
    ends.push(() => sink.close());
    return new SinkUnderTest(sink);
  };

  it('adds rows, and refuses only those that the table cannot store', async () => {
    const sink = aSink();
    await sink.plugin.open();
    const messages = [1, 'poison', 2, 3].map((n) => aMessage(`m-${n}`, { n, text: `'quoted' \\ ${n}` }));
    await sink.deliver(...messages, aMessage('unknown', { n: 4, other: true }), aMessage('text', 'no json'));

    const stored = await server.query('select n, text from events order by n format JSONEachRow');
    const rows = stored.split('\n').map((line) => JSON.parse(line) as unknown);
    expect(rows).toEqual([1, 2, 3].map((n) => ({ n, text: `'quoted' \\ ${n}` })));
    expect([sink.taken, Object.keys(sink.refused).sort()]).toEqual([
      ['m-1', 'm-2', 'm-3'],
      ['m-poison', 'text', 'unknown'],
    ]);
  });

  it('fails as a whole when the table is missing or the password is wrong', async () => {
    await expect(aSink({ table: 'nothing' }).plugin.open()).rejects.toThrow(/exception 60: .*nothing/);
    await expect(aSink({ password: 'wrong' }).plugin.open()).rejects.toThrow(/password/i);
    const sink = aSink();
    await sink.plugin.open();
    await server.query('drop table events');
    await expect(sink.deliver(aMessage('a', { n: 1, text: '' }))).rejects.toThrow(/exception 60/);
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });
});
