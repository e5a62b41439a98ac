import { crc32 } from 'node:zlib';
import { JsonLog } from '../../../os/json-log.js';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { Destination } from '../../../../test/brokers/connectors.fixture.js';
import { HttpSink } from './http-sink.js';
import type { Outcome } from '../plugin.js';
import { PluginOptions } from '../plugin-options.js';

const ends: (() => Promise<unknown>)[] = [];
const signal = new AbortController().signal;

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function aSink(options: Record<string, unknown> = {}, allowPrivate = true) {
  const destination = await Destination.start();
  ends.push(() => destination.stop());
  const settings = new PluginOptions({ url: destination.url, retry_delay: '10ms', ...options });
  const sink = new HttpSink(settings, { log: new JsonLog({}), allowPrivate, idPrefix: '' });
  ends.push(() => sink.close());
  const taken: string[] = [];
  const refused: [string, string][] = [];
  const outcome: Outcome = {
    taken: async (done) => void taken.push(...done.map(({ id }) => id)),
    refused: async (some) =>
      void refused.push(...some.map(({ message, reason }) => [message.id, reason] as [string, string])),
  };
  const deliver = (...messages: ConnectorMessage[]): Promise<void> => sink.deliver(messages, outcome, signal);
  return { destination, sink, deliver, taken, refused };
}

const aMessage = (id: string, text: string, more: Partial<ConnectorMessage> = {}): ConnectorMessage => ({
  ...{ id, stream: 'demo', topic: 'numbers', schema: 'json', takenAtMs: 1_700_000_000_000, takenAtUs: 0 },
  payload: Buffer.from(text),
  ...more,
});

describe('the bodies of the HTTP sink', () => {
  it('contain one message each, with its metadata, and its id in a header', async () => {
    const { destination, deliver, taken } = await aSink({ include_checksum: true, headers: { 'X-Key': 'word' } });

    await deliver(aMessage('one', '{"a":1}'), aMessage('two', 'plain', { schema: 'text' }));

    const [first, second] = destination.taken;
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-key': 'word',
      'ld-message-id': 'one',
    });
    const metadata = { id: 'one', stream: 'demo', topic: 'numbers', schema: 'json', timestamp: 1_700_000_000_000_000 };
    expect(JSON.parse(first?.body ?? '')).toEqual({
      metadata: { ...metadata, checksum: crc32('{"a":1}') },
      payload: { a: 1 },
    });
    expect(JSON.parse(second?.body ?? '').payload).toBe('plain');
    expect(taken).toEqual(['one', 'two']);
  });

  it.each([
    ['ndjson', '{"a":1}\n{"b":2}\n', 'application/x-ndjson'],
    ['json_array', '[{"a":1},{"b":2}]', 'application/json'],
  ])('contain a whole batch in mode %s', async (batch_mode, body, type) => {
    const { destination, deliver } = await aSink({ batch_mode, include_metadata: false });

    await deliver(aMessage('1', '{"a":1}'), aMessage('2', '{"b":2}'));

    expect(destination.taken.map((one) => [one.body, one.headers['content-type']])).toEqual([[body, type]]);
  });

  it('contain the exact bytes in mode raw', async () => {
    const { destination, deliver } = await aSink({ batch_mode: 'raw', method: 'PUT' });

    await deliver(aMessage('1', 'just text', { schema: 'raw' }));

    expect(destination.taken[0]).toMatchObject({ method: 'PUT', body: 'just text' });
    expect(destination.taken[0]?.headers['content-type']).toBe('application/octet-stream');
  });

  it('omit messages that cannot be sent, and report them as refused', async () => {
    const { destination, deliver, taken, refused } = await aSink({
      max_payload_size_bytes: 200,
      batch_mode: 'json_array',
    });
    const large = `"${'x'.repeat(300)}"`;

    await deliver(aMessage('1', '{"a":1}'), aMessage('2', 'no JSON'), aMessage('3', large), aMessage('4', '{"b":2}'));

    expect(destination.taken.map(({ body }) => JSON.parse(body).length)).toEqual([1, 1]);
    expect(taken).toEqual(['1', '4']);
    expect(refused).toEqual([
      ['2', 'the payload is not JSON'],
      ['3', 'the body is larger than max_payload_size_bytes'],
    ]);
  });

  it('split a batch that exceeds the limit', async () => {
    const { destination, deliver } = await aSink({
      max_payload_size_bytes: 40,
      batch_mode: 'ndjson',
      include_metadata: false,
    });

    await deliver(...['1', '2', '3', '4', '5'].map((id) => aMessage(id, '{"text":"abcdef"}')));

    expect(destination.taken.map(({ body }) => body.trim().split('\n').length)).toEqual([2, 2, 1]);
  });
});

describe('a destination that refuses a message', () => {
  it('gets as many retries as configured, and the message does not count as delivered', async () => {
    const { destination, deliver, taken } = await aSink({ max_retries: 2 });
    destination.status = 503;

    await expect(deliver(aMessage('1', '{}'))).rejects.toThrow('the destination returned 503');

    expect(destination.refused).toHaveLength(3);
    expect(taken).toEqual([]);
    destination.status = 200;
    await deliver(aMessage('1', '{}'));
    expect(taken).toEqual(['1']);
  });

  it('gets no immediate retry after a permanent refusal', async () => {
    const { destination, deliver } = await aSink({ max_retries: 5 });
    destination.status = 403;

    await expect(deliver(aMessage('1', '{}'))).rejects.toThrow('403');
    expect(destination.refused).toHaveLength(1);
  });

  it('refuses one message for its content, and takes the others of the batch', async () => {
    const { destination, deliver, taken, refused } = await aSink({ batch_mode: 'ndjson', include_metadata: false });
    destination.refuses = (body) => (body.includes('poison') ? 422 : null);

    await deliver(...['1', '2', 'poison', '4', '5'].map((id) => aMessage(id, `{"id":"${id}"}`)));

    expect(taken).toEqual(['1', '2', '4', '5']);
    expect(refused).toEqual([['poison', 'the destination returned 422']]);
  });

  it('accepts with the status codes that the configuration lists as success', async () => {
    const { destination, deliver, taken } = await aSink({ success_status_codes: [409], max_retries: 0 });
    destination.status = 409;
    await deliver(aMessage('1', '{}'));
    expect(taken).toEqual(['1']);

    destination.status = 200;
    await expect(deliver(aMessage('2', '{}'))).rejects.toThrow('200');
  });

  it('is detected before the first message when the health check is enabled', async () => {
    const { destination, sink } = await aSink({ health_check_enabled: true, health_check_method: 'GET' });
    destination.status = 500;
    await expect(sink.open()).rejects.toThrow(/500 for the health check/);

    destination.status = 204;
    await sink.open();
    expect(destination.taken[0]).toMatchObject({ method: 'GET' });
  });
});

describe('unusable options', () => {
  it.each([
    [{ url: undefined }, /url is required/],
    [{ url: 'https://user:word@example.com/' }, /user name or password/],
    [{ method: 'BREW' }, /method/],
    [{ timeout: 'soon' }, /timeout/],
    [{ headers: { a: 1 } }, /headers/],
    [{ retry_backoff_multiplier: 0 }, /retry_backoff_multiplier/],
  ])('are named in the error: %j', async (options, reason) => {
    await expect(aSink(options)).rejects.toThrow(reason);
  });

  it('include private addresses, and http, where they are not allowed', async () => {
    await expect(aSink({ url: 'https://10.0.0.1/' }, false)).rejects.toThrow(ConnectorFault);
    await expect(aSink({ url: 'http://example.com/' }, false)).rejects.toThrow(/https/);
  });
});
