import { DomainError } from '@libs/domain';
import { PasswordHasher } from './password-hasher.js';

const PASSWORD = 'a long enough phrase';

/** Returns the names of the served requests in order, and the errors of the refused requests. */
async function settle(requests: [name: string, work: Promise<unknown>][]) {
  const served: string[] = [];
  const refused: DomainError[] = [];
  await Promise.all(
    requests.map(async ([name, work]) => {
      await work.then(
        () => served.push(name),
        (error: DomainError) => refused.push(error),
      );
    }),
  );
  return { served, refused };
}

/** Slow enough that requests have to wait. */
const COST = { N: 2 ** 12, r: 8, p: 1 };

describe('The password hasher', () => {
  const many = (hasher: PasswordHasher, network: string, count: number): [string, Promise<unknown>][] =>
    Array.from({ length: count }, () => [network, hasher.hash(PASSWORD, network)]);

  it('stores hashes with the cost of production by default', async () => {
    expect(await new PasswordHasher().hash(PASSWORD, 'one')).toMatch(/^scrypt\$N=32768,r=8,p=1\$/);
  });

  it('limits the waiting requests of one network, and refuses the others of that network', async () => {
    const hasher = new PasswordHasher({ longestQueue: 100, ofOneNetwork: 5 }, COST);

    const { served, refused } = await settle(many(hasher, 'crowd', 20));

    expect(served).toHaveLength(7);
    expect(refused).toHaveLength(13);
    for (const error of refused)
      expect([error.code, error.status, error.retryAfterSeconds]).toEqual(['service_busy', 503, 5]);
    expect((await hasher.verify('x', await hasher.hash('x', 'crowd'), 'crowd')).isRight).toBe(true);
  });

  it('serves networks one after the other, in any order of arrival', async () => {
    const hasher = new PasswordHasher({ longestQueue: 100, ofOneNetwork: 50 }, COST);

    const requests = [...many(hasher, 'crowd', 20), ...many(hasher, 'victim', 1), ...many(hasher, 'other', 2)];
    const { served } = await settle(requests);

    expect(served).toHaveLength(23);
    // Two requests were running, and two requests can end at the same time in each round.
    expect(served.indexOf('victim')).toBeLessThanOrEqual(5);
    expect(served.lastIndexOf('other')).toBeLessThanOrEqual(9);
  });

  it('takes the place for a new network in a full queue from the network with the most waiting requests', async () => {
    const hasher = new PasswordHasher({ longestQueue: 6, ofOneNetwork: 5 }, COST);

    const requests = [...many(hasher, 'crowd', 7), ...many(hasher, 'other', 1), ...many(hasher, 'victim', 1)];
    const { served, refused } = await settle(requests);

    expect(served.filter((name) => name === 'victim')).toHaveLength(1);
    expect(served.filter((name) => name === 'crowd')).toHaveLength(6);
    expect(refused).toHaveLength(1);
  });
});
