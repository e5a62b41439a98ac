import { given, type ApiAnswer } from '@libs/testing';
import { TestMainApi } from '../test/test-main-api.fixture.js';

interface Item {
  id: number;
  name?: string;
}

/** A list, and how one of its records is made and removed. */
interface List {
  path: () => string;
  body: (name: string) => object;
  sorts: readonly string[];
}

const NAMED = ['name', '-name', 'created_at', '-created_at'];
const AWS = { cloud: 'aws', account_id: '123456789012' };

describe('A list', () => {
  let cloud: TestMainApi;
  let path: string;
  let number = 0;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    path = `${cloud.tenant}/divisions/${cloud.installation.division_id}`;
  });
  afterAll(() => cloud.close());
  // The plan limits the records of each kind.
  const addresses: string[] = [];
  afterEach(async () => {
    for (const address of addresses.splice(0)) await cloud.main().delete(address);
  });

  let viewer = 0;
  const inAYear = new Date(Date.now() + 31_536_000_000).toISOString();
  const lists: Record<string, List> = {
    divisions: { path: () => `${cloud.tenant}/divisions`, body: (name) => ({ name }), sorts: NAMED },
    environments: { path: () => `${path}/environments`, body: (name) => ({ name }), sorts: NAMED },
    roles: {
      path: () => `${cloud.tenant}/roles`,
      body: (name) => ({ name, permissions: { environment: ['deployment:read'] } }),
      sorts: NAMED,
    },
    api_keys: {
      path: () => `${cloud.tenant}/api_keys`,
      body: (name) => ({ name, role_id: viewer, expiry_at: inAYear }),
      sorts: NAMED,
    },
    cloud_accounts: { path: () => `${cloud.tenant}/cloud_accounts`, body: (name) => ({ ...AWS, name }), sorts: NAMED },
    channels: {
      path: () => `${cloud.tenant}/channels`,
      body: (name) => ({ channel: 'email', name, destination: 'ops@people.example' }),
      sorts: NAMED,
    },
    invitations: {
      path: () => `${cloud.tenant}/invitations`,
      body: (name) => ({ email: `${name}@example.com`, roles: [viewer] }),
      sorts: ['created_at', '-created_at'],
    },
  };
  beforeAll(async () => {
    const { body } = await cloud.main().get(`${cloud.tenant}/roles?name=viewer`);
    viewer = body.items[0].id;
  });

  /** Creates one record with a name of mixed case, so that the order of names is not that of bytes. */
  async function create({ path, body }: List): Promise<Item> {
    number += 1;
    const name = `${number % 2 ? 'walk' : 'Walk'}-${(number * 7) % 10}-${number}`;
    const answer = await cloud.main().post(path(), body(name));
    expect([answer.status, answer.body.field_issues]).toEqual([201, undefined]);
    addresses.push(`${path()}/${answer.body.id}`);
    return answer.body as Item;
  }

  const nextOf = ({ headers }: ApiAnswer): string | undefined =>
    /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

  /** Follows the links to the end. Calls `meanwhile` between the pages. */
  async function walk(url: string, meanwhile: (soFar: Item[]) => Promise<void>): Promise<Item[]> {
    const walked: Item[] = [];
    for (let next: string | undefined = url; next !== undefined;) {
      const answer: ApiAnswer = await cloud.main().get(next);
      expect(answer.status).toBe(200);
      walked.push(...(answer.body.items as Item[]));
      next = nextOf(answer);
      if (next !== undefined) await meanwhile(walked);
    }
    return walked;
  }

  const cases = Object.entries(lists).flatMap(([name, { sorts }]) =>
    [undefined, ...sorts].map((sort) => [name, sort] as const),
  );

  it.each(cases)('of %s in the order %s shows each record of the whole walk once', async (name, sort) => {
    const list = lists[name] as List;
    const records: Item[] = [];
    for (let count = 0; count < 5; count += 1) records.push(await create(list));
    const order = sort === undefined ? '' : `&sort=${sort}`;
    const before = ((await cloud.main().get(`${list.path()}?results=100${order}`)).body.items as Item[]).map(
      ({ id }) => id,
    );
    const removed = new Set<number>();

    const items = await walk(`${list.path()}?results=2${order}`, async (soFar) => {
      await create(list);
      // A removed record before the next page moves all later ones by one place.
      const victim = records.find(({ id }) => !removed.has(id) && soFar.some((item) => item.id === id));
      if (victim === undefined) return;
      removed.add(victim.id);
      expect((await cloud.main().delete(`${list.path()}/${victim.id}`)).status).toBeLessThan(300);
    });

    const ids = items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => before.includes(id))).toEqual(before);
  });

  it.each(['name', '-name'])('is in the order %s without regard to case', async (sort) => {
    await create(lists['divisions'] as List);
    const { body } = await cloud.main().get(`${cloud.tenant}/divisions?results=100&sort=${sort}`);
    const names = (body.items as Item[]).map(({ name = '' }) => name.toLowerCase());

    const sorted = await cloud.rows<{ name: string }>(
      'select lower(name) as name from divisions where tenant_id = $1 and deleted_at is null order by lower(name)',
      [cloud.installation.tenant_id],
    );
    const expected = sorted.map(({ name }) => name);
    expect(names).toEqual(sort === 'name' ? expected : expected.reverse());
  });

  it.each([
    ['an order that it does not have', '?sort=email', '/sort'],
    ['an order of another list', '?sort=created', '/sort'],
    ['an empty order', '?sort=', '/sort'],
    ['a cursor that is none', '?cursor=abc', '/cursor'],
    ['a cursor with another text in JSON', `?cursor=${Buffer.from('{"id":1}').toString('base64url')}`, '/cursor'],
    ['a cursor of the order of names', `?cursor=${cursor('a', 1)}`, '/cursor'],
    ['a cursor of times for the order of names', `?sort=name&cursor=${cursor(1, 1)}`, '/cursor'],
    ['a cursor of names for the order of times', `?sort=created_at&cursor=${cursor('2026-01-01', 1)}`, '/cursor'],
    ['a time that no number has', `?sort=created_at&cursor=${cursor(1e300, 1)}`, '/cursor'],
    ['an id that is no number', `?cursor=${cursor(null, 'x')}`, '/cursor'],
    ['a text that PostgreSQL cannot store', `?sort=name&cursor=${cursor('\0', 1)}`, '/cursor'],
  ])('refuses %s', async (_, query, path) => {
    const answer = await cloud.main().get(`${cloud.tenant}/divisions${query}`);

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });

  it.each(['members', 'divisions', 'audit', 'billing/reports', 'billing/invoices', 'billing/usage', 'operations'])(
    'of %s answers any cursor with a page or with a refusal',
    async (name) => {
      const path = name === 'audit' ? `/audit${cloud.tenant}` : `${cloud.tenant}/${name}`;
      for (const text of [
        cursor(null, 1),
        cursor(1, 1),
        cursor('1.5', 1),
        cursor('x', 1),
        cursor(Number.MAX_SAFE_INTEGER, 1),
      ])
        expect([200, 400]).toContain((await cloud.main().get(`${path}?cursor=${text}`)).status);
    },
  );

  const TIMED = ['created_at', '-created_at'];
  const tenantLists: [string, readonly string[]][] = [
    ...Object.entries(lists).map(([name, { sorts }]): [string, readonly string[]] => [name, sorts]),
    ...['members', 'deployments'].map((name): [string, readonly string[]] => [name, NAMED]),
    ...['operations', 'join_requests'].map((name): [string, readonly string[]] => [name, TIMED]),
    ...['billing/usage', 'billing/invoices', 'billing/reports', 'audit'].map((name): [string, string[]] => [name, []]),
  ];

  it.each(tenantLists)(
    'of %s is read in each of its orders, from the start and from any place',
    async (name, sorts) => {
      const path = name === 'audit' ? `/audit${cloud.tenant}` : (lists[name]?.path() ?? `${cloud.tenant}/${name}`);
      const places: Record<string, string> = { name: cursor('a', 1), created_at: cursor(Date.now() * 1_000, 1) };
      for (const sort of sorts) {
        const place = places[sort.replace('-', '')];
        for (const query of [`sort=${sort}`, `sort=${sort}&cursor=${place}`])
          expect([query, (await cloud.main().get(`${path}?${query}`)).status]).toEqual([query, 200]);
      }
      const [numbers, times] = [cursor(null, 5), cursor(Date.now() * 1_000, 5)];
      const answers = await Promise.all([numbers, times].map((text) => cloud.main().get(`${path}?cursor=${text}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    },
  );

  it('of the audit shows each entry of the whole walk once, while others are written', async () => {
    const path = `/audit${cloud.tenant}`;
    for (let count = 0; count < 5; count += 1) await create(lists['divisions'] as List);
    const before = ((await cloud.main().get(`${path}?results=100`)).body.items as Item[]).map(({ id }) => id);

    const items = await walk(`${path}?results=20`, async () => void (await create(lists['divisions'] as List)));

    const ids = items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, before.length)).toEqual(before);
  });

  it.each([
    ['divisions', 'name=ALK-', 'name=nothing-of-this'],
    ['channels', 'name=alk-', 'enabled=false'],
    ['channels', 'enabled=true', 'name=nothing-of-this'],
    ['cloud_accounts', 'status=active', 'status=locked'],
    ['members', 'email=OWNER', 'email=nothing%25'],
  ])('of %s is filtered by %s and by %s', async (name, some, none) => {
    const list = lists[name];
    if (list) await create(list);

    const path = `${cloud.tenant}/${name}`;
    expect((await cloud.main().get(`${path}?${some}`)).body.total_results).toBeGreaterThan(0);
    expect((await cloud.main().get(`${path}?${none}`)).body).toMatchObject({ items: [], total_results: 0 });
  });

  it('shows with a cursor only what the caller may see', async () => {
    const { body: division } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'only this' });
    const key = await given.key(cloud, { divisionId: division.id, permissions: { division: ['division:read'] } });

    const { body } = await cloud
      .main(key)
      .get(`${cloud.tenant}/divisions?cursor=${cursor(null, Number.MAX_SAFE_INTEGER)}`);

    expect(body).toMatchObject({ items: [{ id: division.id }], total_results: 1 });
  });
});

function cursor(value: unknown, id: unknown): string {
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}
