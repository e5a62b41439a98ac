import { retryPause } from './retry-pause.js';

describe('The pause before another attempt', () => {
  it('grows from 10 seconds to 4 hours', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((attempts) => retryPause(attempts, 0, 0.5));
    expect(pauses).toEqual([10, 30, 90, 270, 810, 2430, 7290, 14_400, 14_400, 14_400]);
  });

  it('makes about a dozen attempts in a day', () => {
    let [seconds, attempts] = [0, 0];
    for (; seconds <= 86_400; seconds += retryPause(attempts, 0, 0.5)) attempts += 1;
    expect(attempts).toBe(13);
  });

  it('is spread by a tenth, and at least what the destination asks for', () => {
    expect([retryPause(1, 0, 0), retryPause(1, 0, 1)]).toEqual([9, 11]);
    expect([retryPause(1, 120, 0.5), retryPause(8, 120, 0.5)]).toEqual([120, 14_400]);
  });
});
