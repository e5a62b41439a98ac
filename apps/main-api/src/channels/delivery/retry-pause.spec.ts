import { retryPause } from './retry-pause.js';

describe('The pause before the next attempt', () => {
  it('grows from 10 seconds to 4 hours', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((attempts) => retryPause(attempts, 0, 0.5));
    expect(pauses).toEqual([10, 30, 90, 270, 810, 2430, 7290, 14_400, 14_400, 14_400]);
  });

  it('results in 13 attempts in a day', () => {
    let [seconds, attempts] = [0, 0];
    for (; seconds <= 86_400; seconds += retryPause(attempts, 0, 0.5)) attempts += 1;
    expect(attempts).toBe(13);
  });

  it('varies by a tenth, and is at least the pause that the destination requests', () => {
    expect([retryPause(1, 0, 0), retryPause(1, 0, 1)]).toEqual([9, 11]);
    expect([retryPause(1, 120, 0.5), retryPause(8, 120, 0.5)]).toEqual([120, 14_400]);
  });
});
