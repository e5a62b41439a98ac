import { FakeSearch } from '../../../../test/brokers/fake-search.fixture.js';
import type { FakeService } from '../../../../test/brokers/fake-service.fixture.js';
import { A_CONTEXT, aMessage, SinkUnderTest } from '../../../../test/brokers/plugins.fixture.js';
import { PluginOptions } from '../plugin-options.js';
import type { SinkPlugin } from '../plugin.js';
import { ElasticsearchSink } from './elasticsearch-sink.js';
import { MeilisearchSink } from './meilisearch-sink.js';
import { QuickwitSink } from './quickwit-sink.js';

type Values = Record<string, unknown>;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const CONFIG = 'version: 0.9\nindex_id: events # of the shop\ndoc_mapping: {}\n';
const ENGINES: Record<string, [() => Promise<[FakeSearch, FakeService]>, (url: string, values: Values) => SinkPlugin]> =
  {
    elasticsearch: [
      () => FakeSearch.elasticsearch(),
      (url, values) => new ElasticsearchSink(optionsOf(url, 'events', values), A_CONTEXT),
    ],
    meilisearch: [
      () => FakeSearch.meilisearch(),
      (url, values) =>
        new MeilisearchSink(optionsOf(url, 'events', { task_poll_interval: '1ms', ...values }), A_CONTEXT),
    ],
    quickwit: [
      () => FakeSearch.quickwit(),
      (url, values) => new QuickwitSink(optionsOf(url, CONFIG, values), A_CONTEXT),
    ],
  };
const optionsOf = (url: string, index: string, values: Values): PluginOptions =>
  new PluginOptions({ url, index, max_retries: 1, retry_delay: '1ms', ...values });

async function an(engine: string, values: Values = {}) {
  const [start, make] = ENGINES[engine] ?? [];
  if (!start || !make) throw new RangeError(engine);
  const [fake, service] = await start();
  const sink = new SinkUnderTest(make(service.url, values));
  ends.push(
    () => service.stop(),
    () => sink.plugin.close(),
  );
  return { fake, service, sink };
}
const numbers = (fake: FakeSearch): number[] => [...fake.documents.values()].map(({ n }) => Number(n)).sort();

describe.each(Object.keys(ENGINES))('the sink of %s', (engine) => {
  it('creates the index, and adds each message', async () => {
    const { fake, sink } = await an(engine);
    await sink.plugin.open();

    await sink.deliver(...[1, 2, 3].map((n) => aMessage(`m-${n}`, { n })));

    expect([numbers(fake), [...fake.indexes]]).toEqual([[1, 2, 3], ['events']]);
    expect([sink.taken, sink.refused]).toEqual([['m-1', 'm-2', 'm-3'], {}]);
  });

  it('refuses only documents that the server refuses, and payloads that are no documents', async () => {
    const { fake, sink } = await an(engine);
    await sink.plugin.open();

    const messages = [1, 'two', 3, 4].map((n) => aMessage(`m-${n}`, { n }));
    await sink.deliver(...messages, aMessage('list', [1]), aMessage('text', 'no json'));

    expect([numbers(fake), sink.taken.sort()]).toEqual([
      [1, 3, 4],
      ['m-1', 'm-3', 'm-4'],
    ]);
    expect(sink.refused).toEqual({
      'm-two': expect.stringMatching(/document_parsing|invalid_document|invalid_schema/),
      list: 'the payload is not a JSON object',
      text: 'the payload is not JSON',
    });
  });

  it('fails as a whole while the server does not work, and refuses nothing', async () => {
    const { fake, service, sink } = await an(engine);
    await sink.plugin.open();
    const before = service.requests.length;
    fake.failure = { status: 503 };

    await expect(sink.deliver(aMessage('a', { n: 1 }))).rejects.toThrow('503');
    expect(service.requests.length - before).toBe(2);
    expect([sink.taken, sink.refused]).toEqual([[], {}]);
  });

  it('follows no redirect to another address', async () => {
    const { service, sink } = await an(engine);
    service.answers = () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } });
    await expect(sink.plugin.open()).rejects.toThrow('redirects are not followed');
  });
});

describe('the sink of elasticsearch', () => {
  it('reads the result of each document in an answer with status 200', async () => {
    const { fake, sink } = await an('elasticsearch');
    await sink.plugin.open();
    fake.statuses = { busy: 429 };

    await expect(
      sink.deliver(aMessage('a', { n: 1 }), aMessage('busy', { n: 2 }), aMessage('bad', { n: 'x' })),
    ).rejects.toThrow('es_rejected_execution_exception');

    expect([sink.taken, Object.keys(sink.refused)]).toEqual([['a'], ['bad']]);
  });

  it('fails as a whole when the index is missing or the password is wrong', async () => {
    const { fake, sink } = await an('elasticsearch', { create_index_if_not_exists: false });
    await expect(sink.plugin.open()).rejects.toThrow('the index events does not exist');
    await expect(sink.deliver(aMessage('a', { n: 1 }))).rejects.toThrow('no such index [events]');
    expect([sink.refused, fake.documents.size]).toEqual([{}, 0]);

    const { sink: stranger } = await an('elasticsearch', { username: 'user', password: 'wrong' });
    await expect(stranger.plugin.open()).rejects.toThrow(/401/);
  });

  it('overwrites a repeated message', async () => {
    const { fake, sink } = await an('elasticsearch');
    await sink.plugin.open();
    await sink.deliver(aMessage('a', { n: 1 }));
    await sink.deliver(aMessage('a', { n: 1 }));
    expect(fake.documents.size).toBe(1);
  });

  it('sends halves to a proxy that accepts less', async () => {
    const { fake, service, sink } = await an('elasticsearch');
    await sink.plugin.open();
    const { answers } = service;
    service.answers = (request) => (request.body.length > 120 ? { status: 413 } : answers(request));

    const large = aMessage('large', { n: 3, text: 'x'.repeat(200) });
    await sink.deliver(aMessage('a', { n: 1 }), aMessage('b', { n: 2 }), large, aMessage('d', { n: 4 }));

    expect([numbers(fake), Object.keys(sink.refused)]).toEqual([[1, 2, 4], ['large']]);
  });
});

describe('the sink of meilisearch', () => {
  it('fails as a whole when the key is wrong, or the index is missing', async () => {
    const { sink } = await an('meilisearch', { api_key: 'wrong' });
    await expect(sink.plugin.open()).rejects.toThrow('The provided API key is invalid');
    const { sink: other } = await an('meilisearch', { create_index_if_not_exists: false });
    await expect(other.plugin.open()).rejects.toThrow('the index events does not exist');
  });

  it('makes an allowed id of the id of a message', async () => {
    const { fake, sink } = await an('meilisearch');
    await sink.deliver(aMessage('a/b', { n: 1 }));
    expect([...fake.documents.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});

describe('the sink of quickwit', () => {
  it('needs a configuration with the id of its index', () => {
    expect(() => new QuickwitSink(optionsOf('http://127.0.0.1/', 'events', {}), A_CONTEXT)).toThrow(/index_id/);
  });
});
