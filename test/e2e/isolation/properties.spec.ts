import fc from 'fast-check';
import { routeTitles } from '../matrix/routes.js';
import { UPDATABLE, type Updatable } from '../matrix/updatable.js';
import { World } from '../matrix/world.js';

const RUNS = { numRuns: 15 };

/** The GET of this route returns a page of records, not a record that a client could send back. */
const isListed = (title: string): boolean => title.endsWith('/subscriptions');

/** Properties of any stored data and any request; fast-check prints the seed of a failure. */
describe('For any', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const newest = async (): Promise<number> => {
    const [row] = await world.cloud.rows<{ id: number }>('select coalesce(max(id), 0)::int as id from audit_entries');
    return row?.id ?? 0;
  };
  const eventsSoFar = async (): Promise<number> => {
    const [row] = await world.cloud.rows<{ count: number }>('select count(*)::int as count from outbox');
    return row?.count ?? 0;
  };

  it('updatable record the test has a row', () => {
    const titles = routeTitles();

    const both = titles.filter(
      (title) => title.includes(': PUT ') && titles.includes(title.replace(': PUT ', ': GET ')) && !isListed(title),
    );
    expect(Object.keys(UPDATABLE).sort()).toEqual(both.sort());
  });

  it.each(Object.entries(UPDATABLE))(
    'change by %s: a PUT of the GET response changes and emits nothing',
    async (_, row) => {
      await roundTrip(row);
    },
  );

  async function roundTrip({ app = 'main', of, changes, status = 204 }: Updatable): Promise<void> {
    const path = await of(world);
    const as = world.cloud[app]();
    const any = typeof changes === 'function' ? await changes(world) : changes;
    const property = fc.asyncProperty(any, async (change) => {
      const changed = await as.put(path, change);
      expect([changed.status, changed.body?.field_issues]).toEqual([status, undefined]);
      const before = await as.get(path);
      const [entries, events] = [await newest(), await eventsSoFar()];

      const same = await as.put(path, before.body);

      expect([same.status, same.body?.field_issues]).toEqual([status, undefined]);
      expect(await newest()).toBe(entries);
      expect(await eventsSoFar()).toBe(events);
      const after = await as.get(path);
      expect([after.headers.get('etag'), after.body]).toEqual([before.headers.get('etag'), before.body]);
    });
    await fc.assert(property, RUNS);
  }

  it('page size, all pages together are the whole list, each item once, newest first', async () => {
    const as = world.cloud.main();
    await Promise.all(Array.from({ length: 23 }, () => world.division()));
    const path = `${world.cloud.tenant}/divisions`;
    const whole = (await as.get(`${path}?results=100`)).body;
    const ids = (items: { id: number }[]): number[] => items.map(({ id }) => id);
    expect(ids(whole.items)).toEqual(ids(whole.items).sort((a, b) => b - a));

    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (results) => {
      const pages = Math.ceil(whole.total_results / results);
      const seen: number[] = [];
      let next: string | null = `${path}?results=${results}`;
      while (next) {
        const { body, headers } = await as.get(next);
        expect(body).toMatchObject({ total_results: whole.total_results, total_pages: pages });
        seen.push(...ids(body.items));
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
      }
      expect(seen).toEqual(ids(whole.items));
      expect((await as.get(`${path}?results=${results}&page=${pages + 1}`)).body.items).toEqual([]);
    });
    await fc.assert(property, { numRuns: 12 });
  });

  it('invalid page or results: 400', async () => {
    const odd = fc.oneof(
      fc.integer({ max: 0 }).map(String),
      fc.double({ noInteger: true }).map(String),
      fc.constantFrom('', ' ', '1e2', '0x1', 'one', '101', '-1', '1.0', '١'),
    );
    const property = fc.asyncProperty(odd, async (value) => {
      const answer = await world.cloud
        .main()
        .get(`${world.cloud.tenant}/divisions?results=${encodeURIComponent(value)}`);
      expect(answer).toBeProblem('validation_failed');
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
