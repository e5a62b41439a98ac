import { backoffSeconds } from './failure-rules.js';

describe('The delay before another attempt', () => {
  it('doubles from a quarter of a second to half a minute', () => {
    const longest = [0, 1, 2, 6, 7, 8, 20].map((attempt) => backoffSeconds(attempt, () => 1));

    expect(longest).toEqual([0.25, 0.5, 1, 16, 30, 30, 30]);
  });

  it('is random in its second half', () => {
    expect(backoffSeconds(2, () => 0)).toBe(0.5);
    expect(backoffSeconds(2, () => 0.5)).toBe(0.75);
    const delays = Array.from({ length: 100 }, () => backoffSeconds(0));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0.125);
    expect(Math.max(...delays)).toBeLessThanOrEqual(0.25);
  });
});
