import { given, TestCloud } from '@libs/testing';
import { CELLS } from '../matrix/routes.js';
import { headerFaults, NO_FAULTS, operationOf } from '../documents/declared-headers.js';

const LIMIT = 40;

describe('The rate limit', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { RATE_LIMIT: String(LIMIT) } });
  });
  afterAll(() => cloud.stop());

  it('is in the headers of each answer, and counts the requests of a key to both APIs together', async () => {
    const key = await given.key(cloud);
    const first = await cloud.main(key).get(cloud.tenant);
    expect(first.headers.get('ratelimit-limit')).toBe(String(LIMIT));
    expect(first.headers.get('ratelimit-remaining')).toBe(String(LIMIT - 1));
    expect(first.headers.get('ratelimit-policy')).toBe(`${LIMIT};w=60`);

    const calls = Array.from({ length: 2 * LIMIT }, (_, index) =>
      index % 2 ? cloud.main(key).get(cloud.tenant) : cloud.runtime(key).get(`${cloud.tenant}/operations`),
    );
    const answers = await Promise.all(calls);

    const allowed = answers.filter(({ status }) => status === 200).length + 1;
    const refused = answers.find(({ status }) => status === 429);
    expect(allowed).toBeGreaterThanOrEqual(LIMIT);
    expect(allowed).toBeLessThanOrEqual(LIMIT * 1.2);
    expect(refused).toBeProblem('rate_limited', { retryable: true });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    const tenant = CELLS.find(({ title }) => title === 'main-api: GET /tenants/:tenant_id');
    const operation = tenant && operationOf(tenant);
    expect(operation && refused && headerFaults(operation, refused)).toEqual(NO_FAULTS);
    expect((await cloud.main(await given.key(cloud)).get(cloud.tenant)).status).toBe(200);
  });

  it('limits clients that guess keys, by address', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 2 * LIMIT }, async () => (await cloud.main('ld_guess').get(cloud.tenant)).status),
    );

    expect(statuses).toContain(401);
    expect(statuses).toContain(429);
  });

  it('does not apply to routes without a key', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 2 * LIMIT }, async () => (await cloud.main(null).get('/errors')).status),
    );

    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
