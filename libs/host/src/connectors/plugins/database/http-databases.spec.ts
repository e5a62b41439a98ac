import { FakeService, type ServiceAnswer, type ServiceRequest } from '../../../../test/brokers/fake-service.fixture.js';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import { ClickhouseSink } from './clickhouse-sink.js';
import { InfluxdbSink } from './influxdb-sink.js';

/** Contract fakes of ClickHouse and InfluxDB, made from their documentation. */
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Answers = (request: ServiceRequest) => ServiceAnswer;
const exception = (code: number, text: string, status = 500): ServiceAnswer => ({
  ...{ status, headers: { 'x-clickhouse-exception-code': String(code) } },
  body: `Code: ${code}. DB::Exception: ${text} (version 25.8.1.1 (official build))`,
});

async function aClickhouse(answers: Answers, values: Record<string, unknown> = {}) {
  const service = await FakeService.start(answers);
  const options = { url: service.url, table: 'events', max_retries: 0, password: 'secret', ...values };
  const sink = new SinkUnderTest(new ClickhouseSink(new PluginOptions(options), A_CONTEXT));
  ends.push(
    () => service.stop(),
    () => sink.plugin.close(),
  );
  return { service, sink };
}

describe('the ClickHouse sink', () => {
  it('adds a batch as rows of a table, with a token for its repetition', async () => {
    const { service, sink } = await aClickhouse(() => ({}), { database: 'shop', username: 'writer' });
    await sink.plugin.open();
    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }));
    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }));

    const [opened, , first, second] = service.requests;
    expect(opened?.query.get('query')).toBe('select 1 from `shop`.`events` limit 0');
    expect(first).toMatchObject({ method: 'POST', path: '/', body: '{"n":1}\n{"n":2}\n' });
    expect(first?.headers).toMatchObject({ 'x-clickhouse-user': 'writer', 'x-clickhouse-key': 'secret' });
    expect(first?.query.get('query')).toBe('insert into `shop`.`events` format JSONEachRow');
    const token = first?.query.get('insert_deduplication_token');
    expect([token?.length, second?.query.get('insert_deduplication_token')]).toEqual([64, token]);
  });

  it('refuses only rows with wrong values, also when the server answers 500 or 200 with an exception', async () => {
    const answers: Answers = ({ body }) => {
      if (body.includes('"x"')) return exception(27, `Cannot parse input: expected number: (while reading column n)`);
      return body.includes('"y"') ? { body: 'Code: 117. DB::Exception: Unknown field found while parsing' } : {};
    };
    const { sink } = await aClickhouse(answers);

    await sink.deliver(...[1, 'x', 2, 'y', 3].map((n) => aMessage(`m-${n}`, { n })), aMessage('t', 'no json'));

    expect(sink.taken).toEqual(['m-1', 'm-2', 'm-3']);
    expect(sink.refused).toEqual({
      'm-x': expect.stringContaining('exception 27'),
      'm-y': expect.stringContaining('exception 117'),
      t: 'the payload is not JSON',
    });
  });

  it.each([
    [60, 'Table default.events does not exist', 404],
    [516, 'default: Authentication failed: password is incorrect', 403],
    [241, 'Memory limit exceeded', 500],
  ])('fails as a whole for exception %i: %s', async (code, text, status) => {
    const { sink } = await aClickhouse(() => exception(code, text, status));
    await expect(sink.plugin.open()).rejects.toThrow(text);
    await expect(sink.deliver(aMessage('a', { n: 1 }))).rejects.toThrow();
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });
});

async function anInfluxdb(answers: Answers, values: Record<string, unknown> = {}) {
  const service = await FakeService.start(answers);
  const access = { url: service.url, version: 'v2', token: 'of-influx', org: 'shop', bucket: 'events' };
  const options = new PluginOptions({ ...access, max_retries: 0, ...values });
  const sink = new SinkUnderTest(new InfluxdbSink(options, A_CONTEXT));
  ends.push(
    () => service.stop(),
    () => sink.plugin.close(),
  );
  return { service, sink };
}

describe('the InfluxDB sink', () => {
  it('writes members as fields of points with different times', async () => {
    const { service, sink } = await anInfluxdb(() => ({ status: 204 }));
    const odd = { n: 1.5, ok: true, text: 'say "hi" \\ you', deep: { a: 1 }, nothing: null };
    await sink.deliver(aMessage('a', odd, { topic: 'the topic' }), aMessage('b', { n: 2 }));

    const [{ path, query, headers, body } = { body: '' }] = service.requests as [ServiceRequest];
    expect([path, query?.toString()]).toEqual(['/api/v2/write', 'org=shop&bucket=events&precision=us']);
    expect(headers?.authorization).toBe('Token of-influx');
    const [first = '', second = ''] = body.split('\n');
    expect(first).toMatch(/^messages,stream=demo,topic=the\\ topic n=1.5,ok=true,text="say \\"hi\\" \\\\ you",deep="/);
    expect(first).toMatch(/deep="\{\\"a\\":1\}",ld_message_id="a" \d{16}$/);
    expect(first.split(' ').at(-1)).not.toBe(second.split(' ').at(-1));
  });

  it('writes to version 3 without partial writes', async () => {
    const { service, sink } = await anInfluxdb(() => ({ status: 204 }), {
      version: 'v3',
      db: 'events',
      precision: 'ns',
    });
    await sink.deliver(aMessage('a', { n: 1 }));
    const [request] = service.requests;
    expect(request?.path).toBe('/api/v3/write_lp');
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      db: 'events',
      precision: 'nanosecond',
      accept_partial: 'false',
    });
    expect([request?.headers.authorization, request?.body]).toEqual([
      'Bearer of-influx',
      expect.stringMatching(/ \d{19}$/),
    ]);
  });

  it('refuses only points that the server refuses, and payloads without a field', async () => {
    const conflict = { code: 'invalid', message: 'partial write: field type conflict: input field "n" is type string' };
    const { sink } = await anInfluxdb(({ body }) =>
      body.includes('n="') ? { status: 400, body: conflict } : { status: 204 },
    );
    const messages = [1, 'two', 3].map((n) => aMessage(`m-${n}`, { n }));
    await sink.deliver(...messages, aMessage('list', [1]), aMessage('odd', { 'a\nb': 1 }));

    expect(sink.taken).toEqual(['m-1', 'm-3']);
    expect(sink.refused).toEqual({
      'm-two': expect.stringContaining('field type conflict'),
      list: 'the payload is not a JSON object',
      odd: 'the name of a member has a line break',
    });
  });

  it.each([
    [401, { code: 'unauthorized', message: 'unauthorized access' }],
    [404, { code: 'not found', message: 'bucket "events" not found' }],
    [503, {}],
  ])('fails as a whole for status %i', async (status, body) => {
    const { sink } = await anInfluxdb(() => ({ status, body }));
    await expect(sink.deliver(aMessage('a', { n: 1 }))).rejects.toThrow(String(status));
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });
});
