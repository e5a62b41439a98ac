import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONNECTORS_FILES } from '../connectors-files.js';
import type { ConnectorMessage } from './connector-message.js';
import { DEAD_LETTER_LIMITS, DeadLetters, type DeadLetter } from './dead-letters.js';

const DAY_MS = 24 * 3_600_000;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function aHome(): Promise<{ dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-letters-'));
  ends.push(() => rm(dir, { recursive: true }));
  await mkdir(CONNECTORS_FILES.state({ dir }));
  return { dir };
}

async function aStore(home: { dir: string }): Promise<DeadLetters> {
  const store = await DeadLetters.open(home);
  ends.push(() => store.close());
  return store;
}

const aLetter = (id: string, text = 'payload', attempts = 1): DeadLetter => {
  const message: ConnectorMessage = {
    ...{ id, stream: 'demo', topic: 'numbers', schema: 'json', takenAtMs: 1, takenAtUs: 1_000 },
    payload: Buffer.from(text),
  };
  return { message, error: 'not a number', attempts };
};
const ids = async (store: DeadLetters, instanceId: number): Promise<string[]> =>
  (await store.page(instanceId, 1, 100)).items.map(({ message_id: id }) => id);

describe('the store of dead letters', () => {
  it('has topic, error, attempts and payload of each letter after it is opened again', async () => {
    const home = await aHome();
    const first = await DeadLetters.open(home);
    await first.add(2, [aLetter('a!b', '{"n":"x"}', 3), aLetter('c')], 1_700_000_000_000);
    await first.add(3, [aLetter('other')], 1_700_000_000_000);
    await first.close();

    const store = await DeadLetters.open(home);
    // Their age is above the limit.
    expect(store.counts(2)).toEqual({ kept: 0, dropped: 2 });
    await store.add(2, [aLetter('a!b', '{"n":"x"}', 3)]);
    await store.close();

    const { items, total, dropped } = await (await aStore(home)).page(2, 1, 10);
    expect([total, dropped]).toEqual([1, 2]);
    expect(items).toEqual([
      {
        ...{ id: expect.any(Number), message_id: 'a!b', topic: 'demo/numbers', error: 'not a number', attempts: 3 },
        ...{ failed_at: expect.stringMatching(/Z$/), payload: Buffer.from('{"n":"x"}').toString('base64') },
        ...{ payload_bytes: 9, is_truncated: false },
      },
    ]);
  });

  it('keeps one letter of a message, with its last error', async () => {
    const store = await aStore(await aHome());
    await store.add(2, [aLetter('a')]);
    await store.add(2, [{ ...aLetter('a', 'payload', 2), error: 'another error' }]);

    const { items } = await store.page(2, 1, 10);
    expect(items).toMatchObject([{ message_id: 'a', attempts: 2, error: 'another error' }]);
  });

  it('drops the oldest letters above 10,000, and counts them for their instance', async () => {
    const home = await aHome();
    const store = await aStore(home);
    const { letters: most } = DEAD_LETTER_LIMITS;
    await store.add(
      2,
      Array.from({ length: 3 }, (_, index) => aLetter(`old-${index}`)),
    );
    await store.add(
      3,
      Array.from({ length: most - 1 }, (_, index) => aLetter(`new-${index}`)),
    );

    expect([store.counts(2), store.counts(3)]).toEqual([
      { kept: 1, dropped: 2 },
      { kept: most - 1, dropped: 0 },
    ]);
    expect(await ids(store, 2)).toEqual(['old-2']);
  });

  it('drops letters after seven days', async () => {
    const store = await aStore(await aHome());
    const now = Date.now();
    await store.add(2, [aLetter('old')], now - 7 * DAY_MS + 1_000);
    await store.add(2, [aLetter('young')], now - 6 * DAY_MS);
    expect(store.counts(2)).toEqual({ kept: 2, dropped: 0 });

    await store.expire(now + 1_000);

    expect([await ids(store, 2), store.counts(2)]).toEqual([['young'], { kept: 1, dropped: 1 }]);
  });

  it('drops letters above the limit of bytes', async () => {
    const store = await DeadLetters.open(await aHome(), { ...DEAD_LETTER_LIMITS, bytes: 1_000 });
    ends.push(() => store.close());
    const large = 'x'.repeat(500);
    await store.add(2, [aLetter('a', large)]);
    await store.add(2, [aLetter('b', large)]);
    await store.add(2, [aLetter('c')]);

    expect([await ids(store, 2), store.counts(2)]).toEqual([['b', 'c'], { kept: 2, dropped: 1 }]);
  });

  it('shows a page of bounded size, and one letter as a whole', async () => {
    const store = await aStore(await aHome());
    await store.add(
      2,
      Array.from({ length: 30 }, (_, index) => aLetter(`letter-${index}`, 'x'.repeat(20_000))),
    );

    const page = await store.page(2, 2, 20);
    expect([page.items.length, page.total, page.items[0]?.message_id]).toEqual([10, 30, 'letter-20']);
    expect(page.items[0]).toMatchObject({ is_truncated: true, payload_bytes: 20_000 });
    expect(JSON.stringify(page).length).toBeLessThan(160 * 1024);
    const [one] = (await store.page(2, 30, 1)).items;
    expect(one).toMatchObject({ message_id: 'letter-29', is_truncated: false });
  });

  it('deletes letters by id, all of an instance, and those of removed instances', async () => {
    const store = await aStore(await aHome());
    await store.add(2, [aLetter('a'), aLetter('b'), aLetter('c')]);
    await store.add(3, [aLetter('d')]);
    const [first] = (await store.page(2, 1, 1)).items;

    expect(await store.remove(2, [first?.id ?? 0, 99])).toBe(1);
    expect(await store.remove(3, [first?.id ?? 0])).toBe(0);
    expect(await ids(store, 2)).toEqual(['b', 'c']);
    await store.keepOnly([3]);
    expect([await ids(store, 2), await ids(store, 3)]).toEqual([[], ['d']]);
    expect(await store.remove(3, null)).toBe(1);
  });
});
