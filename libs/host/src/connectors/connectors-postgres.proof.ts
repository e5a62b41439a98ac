import { aConnector, RunnerUnderTest } from '../../test/brokers/connectors.fixture.js';
import { aNodeSpec, BrokerUnderTest, until } from '../../test/brokers/embedded.fixture.js';
import { ShopDatabase } from '../../test/brokers/shop-database.fixture.js';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

describe('connectors with PostgreSQL', () => {
  let shop: ShopDatabase;
  let owner: ShopDatabase['owner'];
  let address: string;
  let role: string;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    shop = await ShopDatabase.create();
    ({ owner, address, role } = shop);
  });
  afterAll(() => shop.drop());
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await shop.clear();
  });

  const aRunner = async (instances: ConstructorParameters<typeof RunnerUnderTest>[1]): Promise<RunnerUnderTest> => {
    const broker = await BrokerUnderTest.of(await aNodeSpec());
    ends.push(() => broker.destroy());
    await broker.start();
    const runner = new RunnerUnderTest(broker, instances);
    ends.push(() => runner.stop());
    return runner;
  };
  const aSink = (config: Record<string, unknown> = {}, more: object = {}) => {
    const standard = {
      connection_string: address,
      target_table: 'shop.events',
      auto_create_table: true,
      payload_format: 'json',
    };
    return aConnector('sink', { plugin: 'postgres', values: { plugin_config: { ...standard, ...config }, ...more } });
  };
  const stored = async (): Promise<number[]> => {
    const { rows } = await owner.query(`select (payload ->> 'n')::int as n from shop.events order by n`);
    return rows.map(({ n }: { n: number }) => n);
  };
  const send = async (runner: RunnerUnderTest, payloads: readonly string[]): Promise<void> => {
    const client = await runner.broker.client();
    for (const payload of payloads) await client.publishAsync('demo/numbers', payload, { qos: 1 });
    await client.endAsync();
  };
  const texts = (numbers: readonly number[]): string[] => numbers.map((n) => JSON.stringify({ n }));

  it('move each row of a table to another table once, also over a kill', async () => {
    await owner.query(`create table shop.orders (id bigint primary key, n int); grant all on shop.orders to ${role};
                       insert into shop.orders select i, i from generate_series(1, 300) i`);
    const config = { connection_string: address, mode: 'polling', tables: ['shop.orders'], include_metadata: false };
    const source = aConnector('source', {
      plugin: 'postgres',
      values: { plugin_config: { ...config, poll_interval: '50ms', batch_size: 20 } },
    });
    const runner = await aRunner([aSink({ batch_size: 7 })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    runner.instances = [aSink({ batch_size: 7 }), source];
    expect(await runner.runtime.apply(runner.broker.home, await runner.spec())).toBe(true);

    await until('some rows', async () => (await stored()).length > 50);
    await runner.kill();
    await runner.start();
    await runner.reports('all are counted', 1, ({ messages }) => messages === 300);
    await until('all rows', async () => (await stored()).length === 300);

    expect(await stored()).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  });

  it('keep poison messages apart and deliver all others', async () => {
    const runner = await aRunner([aSink({}, { dead_letter_topic: 'orders' })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    const reader = await runner.broker.client();
    const published: string[] = [];
    reader.on('message', (_, payload) => published.push(payload.toString()));
    await reader.subscribeAsync('dead_letters/orders', { qos: 1 });

    await send(
      runner,
      texts(TEN).flatMap((text, at) => (at % 3 === 0 ? ['{"n":"\\u0000"}', text] : [text])),
    );

    const report = await runner.reports('the counts', 2, ({ messages, failed }) => messages === 10 && failed === 4);
    expect([report.status, report.error, report.dead_letters]).toEqual(['running', null, 4]);
    expect(report.last_error).toContain('unsupported Unicode escape');
    expect(await stored()).toEqual(TEN);
    await until('the letters of the topic', () => published.length === 4);
    expect(JSON.parse(published[0] ?? '')).toMatchObject({ topic: 'demo/numbers', attempts: 1 });
    await reader.endAsync();
  });

  it.each([
    [
      'password',
      () => ({ connection_string: Object.assign(new URL(address), { password: 'another' }).href }),
      /password authentication failed/,
    ],
    ['table', () => ({ auto_create_table: false }), /does not exist/],
  ])(
    'lose nothing and refuse nothing while the %s is wrong, and continue after a new configuration',
    async (_, wrong, reason) => {
      const runner = await aRunner([aSink(wrong())]);
      await runner.start();
      await runner.reports('the failure', 2, ({ status, error }) => status === 'failed' && reason.test(error ?? ''));
      await send(runner, texts(TEN));

      runner.instances = [{ ...aSink(), config: { ...aSink().config, id: 21 } }];
      await runner.runtime.apply(runner.broker.home, await runner.spec());

      const { failed, dead_letters } = await runner.reports('the deliveries', 2, ({ messages }) => messages === 10);
      expect([await stored(), failed, dead_letters]).toEqual([TEN, 0, 0]);
    },
  );

  it('have their own batches for each stream', async () => {
    const streams = [
      { stream: 'fast', topics: ['a'], schema: 'json', batch_length: 2, poll_interval: '1ms' },
      { stream: 'slow', topics: ['b'], schema: 'json', batch_length: 1_000, poll_interval: '1500ms' },
    ];
    const runner = await aRunner([aSink({ verbose_logging: true }, { streams })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    const client = await runner.broker.client();
    const begunAt = Date.now();
    for (const n of TEN) {
      await client.publishAsync('slow/b', JSON.stringify({ n: 100 + n }), { qos: 1 });
      await client.publishAsync('fast/a', JSON.stringify({ n }), { qos: 1 });
    }
    await client.endAsync();

    await until('the fast stream', async () => (await stored()).length >= 10);
    expect([await stored(), Date.now() - begunAt < 1_500]).toEqual([TEN, true]);
    await until('the slow stream', async () => (await stored()).length === 20);
    const batches = (await runner.log()).split('\n').filter((line) => line.includes('rows added'));
    expect(batches.map((line) => (JSON.parse(line) as { rows: number }).rows).at(-1)).toBe(10);
  });
});
