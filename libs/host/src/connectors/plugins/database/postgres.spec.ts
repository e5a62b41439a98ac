import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { ShopDatabase } from '../../../../test/brokers/shop-database.fixture.js';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import { PluginOptions } from '../plugin-options.js';
import { postgresAddress } from './postgres-address.js';
import { PostgresSink } from './postgres-sink.js';
import { PostgresSource } from './postgres-source.js';

let shop: ShopDatabase;
let owner: ShopDatabase['owner'];
let role: string;
let address: string;
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

const rows = async (statement: string): Promise<unknown[]> => (await owner.query(statement)).rows;

function aSink(options: Record<string, unknown> = {}, context = A_CONTEXT): SinkUnderTest {
  const values = { connection_string: address, target_table: 'shop.events', auto_create_table: true, ...options };
  const sink = new PostgresSink(new PluginOptions(values), context);
  ends.push(() => sink.close());
  return new SinkUnderTest(sink);
}

describe('the PostgreSQL sink', () => {
  it('creates the table and adds each message once, also when it comes again', async () => {
    const sink = aSink({ payload_format: 'json', batch_size: 2 });
    await sink.plugin.open();

    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }), aMessage('c', { n: 3 }));
    await sink.deliver(aMessage('c', { n: 3 }), aMessage('d', { n: 4 }));

    expect(await rows('select id, stream, topic, payload from shop.events order by id')).toEqual(
      ['a', 'b', 'c', 'd'].map((id, n) => ({ id, stream: 'demo', topic: 'numbers', payload: { n: n + 1 } })),
    );
    expect([sink.taken, sink.refused]).toEqual([['a', 'b', 'c', 'c', 'd'], {}]);
  });

  it('stores the exact bytes, or the text', async () => {
    const sink = aSink();
    await sink.plugin.open();
    await sink.deliver(aMessage('a', '', { payload: Buffer.from([0, 255, 10]), schema: 'raw' }));
    expect(await rows(`select encode(payload, 'hex') as hex, checksum from shop.events`)).toEqual([
      { hex: '00ff0a', checksum: 2_360_397_182 },
    ]);

    const texts = aSink({ target_table: 'shop."t"', payload_format: 'text', include_checksum: false });
    await texts.plugin.open();
    await texts.deliver(aMessage('b', `'; drop table x; --`, { schema: 'text' }));
    expect(await rows('select id, payload from shop."""t"""')).toEqual([{ id: 'b', payload: `'; drop table x; --` }]);
  });

  it('refuses only rows that cannot be mapped or stored, and continues', async () => {
    await owner.query(`create table shop.events (id text primary key, payload jsonb check (payload ->> 'n' <> '3'));
                       grant all on shop.events to ${role}`);
    const sink = aSink({ payload_format: 'json' });
    await sink.plugin.open();

    const poison = aMessage('nul', '{"n":"\\u0000"}');
    await sink.deliver(
      aMessage('1', { n: 1 }),
      aMessage('x', 'no json'),
      aMessage('3', { n: 3 }),
      poison,
      aMessage('5', {}),
    );

    expect(sink.taken.sort()).toEqual(['1', '5']);
    expect(sink.refused).toEqual({
      x: 'the payload is not JSON',
      '3': expect.stringContaining('violates check constraint'),
      nul: expect.stringContaining('unsupported Unicode escape'),
    });
    expect(await rows('select count(*)::int as n from shop.events')).toEqual([{ n: 2 }]);
  });

  it('fails as a whole, without refused messages, when the table, its column or the password is wrong', async () => {
    const missing = aSink({ auto_create_table: false });
    await expect(missing.plugin.open()).rejects.toThrow('the table "shop"."events" does not exist');

    await owner.query(`create table shop.events (id text); grant all on shop.events to ${role}`);
    await expect(missing.plugin.open()).rejects.toThrow('has no column payload');

    const stranger = aSink({ connection_string: address.replace('of%20the', 'of%20no') });
    await expect(stranger.plugin.open()).rejects.toThrow(/password authentication failed/);

    const sink = aSink({ target_table: 'shop.other' });
    await sink.plugin.open();
    await owner.query('drop table shop.other');
    await expect(sink.deliver(aMessage('a', {}))).rejects.toThrow(/does not exist/);
    await owner.query(`create table shop.other (payload int); grant all on shop.other to ${role}`);
    await expect(sink.deliver(aMessage('a', {}))).rejects.toThrow(/column "id"/);
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });

  it('connects again after the server has ended the connection', async () => {
    const sink = aSink();
    await sink.plugin.open();
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);

    await sink.deliver(aMessage('a', {})).catch(() => sink.deliver(aMessage('a', {})));

    expect(sink.taken).toEqual(['a']);
  });

  it('reaches no private address where they are not allowed', async () => {
    const sink = aSink({}, { ...A_CONTEXT, allowPrivate: false });
    await expect(sink.plugin.open()).rejects.toThrow(/not an address on the internet/);
  });
});

describe('the address of a database', () => {
  it.each([
    ['postgres://u:p@%2Fvar%2Frun%2Fpostgresql/db', /Unix sockets/],
    ['postgres://u:p@/db?host=/var/run', /must be an address/],
    ['postgres://u:p@a,b/db', /connection_string/],
    ['postgres://u:p@db/name?sslrootcert=/etc/passwd', /option sslrootcert/],
    ['postgres://u:p@db/name?host=127.0.0.1', /option host/],
    ['postgres://u@db/name', /user, password and database/],
    ['postgres://u:p@db/name?sslmode=prefer', /unknown sslmode/],
    ['socket:/var/run', /must be an address/],
    ['u:p@db', /must be an address/],
  ])('is refused: %s', (text, reason) => {
    expect(() => postgresAddress(text)).toThrow(reason);
    expect(() => postgresAddress(text)).toThrow(ConnectorFault);
  });

  it('is encrypted and verified when it does not say otherwise', () => {
    const { ssl, port } = postgresAddress('postgresql://u:p@db.example.com/name');
    expect([ssl, port]).toEqual([{ rejectUnauthorized: true }, 5432]);
  });
});

function aSource(options: Record<string, unknown> = {}): PostgresSource {
  const values = {
    connection_string: address,
    mode: 'polling',
    tables: ['shop.orders'],
    include_metadata: false,
    ...options,
  };
  const source = new PostgresSource(new PluginOptions(values), A_CONTEXT);
  ends.push(() => source.close());
  return source;
}

describe('the PostgreSQL source', () => {
  beforeEach(async () => {
    await owner.query(`create table shop.orders (id bigint primary key, "itemName" text, at timestamptz, done boolean);
      insert into shop.orders select n, 'item ' || n, timestamptz '2026-01-01' + (n / 2) * interval '1 second'
        from generate_series(1, 5) n;
      grant all on shop.orders to ${role}`);
  });

  it('reads rows in batches behind the last one, with the same ids each time', async () => {
    const source = aSource({ snake_case_columns: true });
    const start = { count: 0, cursor: null };

    const first = await source.read(start, 2);
    const second = await source.read({ count: 2, cursor: first.cursor }, 10);

    expect(first.messages.map(({ value }) => value)).toMatchObject([
      { id: 1, item_name: 'item 1' },
      { id: 2, item_name: 'item 2' },
    ]);
    expect([first.hasMore, second.hasMore, second.messages.length]).toEqual([true, false, 3]);
    expect((await source.read(start, 2)).messages.map(({ id }) => id)).toEqual(first.messages.map(({ id }) => id));
    expect((await source.read({ count: 5, cursor: second.cursor }, 10)).messages).toEqual([]);
  });

  it('loses no row of equal times at the end of a batch, when it knows the primary key', async () => {
    const source = aSource({ tracking_column: 'at', primary_key_column: 'id' });
    const seen: unknown[] = [];
    for (let cursor: unknown = null, hasMore = true; hasMore;) {
      const batch = await source.read({ count: 0, cursor }, 1);
      seen.push(...batch.messages.map(({ value }) => (value as { id: number }).id));
      ({ cursor, hasMore } = batch);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it('marks or deletes rows after the broker has them', async () => {
    const marking = aSource({ processed_column: 'done' });
    const batch = await marking.read({ count: 0, cursor: null }, 2);
    await marking.settle(batch);
    expect(await rows('select id::int from shop.orders where done order by id')).toEqual([{ id: 1 }, { id: 2 }]);

    const deleting = aSource({ delete_after_read: true, initial_offset: '3' });
    await deleting.settle(await deleting.read({ count: 0, cursor: null }, 100));
    expect(await rows('select id::int from shop.orders order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('sends one column as the payload, exactly', async () => {
    await owner.query(`create table shop.blobs (id int, bytes bytea, doc text); grant all on shop.blobs to ${role};
                       insert into shop.blobs values (1, '\\x00ff', '{"a":1}')`);
    const [bytes, doc] = ['bytes', 'doc'].map((payload_column) =>
      aSource({
        tables: ['shop.blobs'],
        payload_column,
        payload_format: payload_column === 'bytes' ? 'bytea' : 'json',
      }),
    );
    const start = { count: 0, cursor: null };
    expect((await bytes?.read(start, 5))?.messages[0]?.bytes).toEqual(Buffer.from([0, 255]));
    expect((await doc?.read(start, 5))?.messages[0]?.value).toEqual({ a: 1 });
  });

  it('names the table that is missing, and the mode that is not supported', async () => {
    await expect(aSource({ tables: ['shop.nothing'] }).read({ count: 0, cursor: null }, 1)).rejects.toThrow(
      /shop.nothing/,
    );
    expect(() => aSource({ mode: 'cdc' })).toThrow(/must be polling/);
  });
});
