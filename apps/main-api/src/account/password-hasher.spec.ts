import { DomainError } from '@libs/domain';
import { PasswordHasher } from './password-hasher.js';

describe('The hasher of passwords', () => {
  it('turns away whom it could not serve in time, and serves the rest in turn', async () => {
    const hasher = new PasswordHasher(10);
    const done: number[] = [];
    const all = Array.from({ length: 20 }, async (_, index) => {
      await hasher.hash('a long enough phrase');
      done.push(index);
    });

    const settled = await Promise.allSettled(all);

    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as DomainError] : []));
    expect(refused).toHaveLength(8);
    for (const error of refused)
      expect([error.code, error.status, error.retryAfterSeconds]).toEqual(['service_busy', 503, 5]);
    expect(settled.slice(-8).every(({ status }) => status === 'rejected')).toBe(true);
    expect([...done].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
    // In turn: those who came first are served before those who came last.
    expect(Math.max(...done.slice(0, 3))).toBeLessThan(Math.min(...done.slice(-3)));
    expect((await hasher.verify('x', await hasher.hash('x'))).isRight).toBe(true);
  });
});
