import { mannWhitney, medianOf } from './mann-whitney.js';

/** Deterministic numbers. */
function noise(seed: number, count: number, shift = 0): number[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => shift + next() + next() + next() + next());
}

describe('mannWhitney', () => {
  it('agrees with a published table', () => {
    const a = [1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7, 8.8, 9.9, 10.1];
    const b = [6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5];

    // U = 14 of 100: z = 36 / 13.23 = 2.721.
    expect(mannWhitney(a, b)).toBeCloseTo(0.0065, 4);
    expect(mannWhitney(b, a)).toBeCloseTo(mannWhitney(a, b), 10);
  });

  it('detects a small shift, but no difference between samples of one distribution', () => {
    expect(mannWhitney(noise(1, 1000), noise(2, 1000))).toBeGreaterThan(0.01);
    expect(mannWhitney(noise(1, 1000), noise(2, 1000, 0.15))).toBeLessThan(0.001);
  });

  it('counts ties for neither side', () => {
    expect(mannWhitney([1, 1, 1], [1, 1, 1])).toBe(1);
    expect(mannWhitney([1, 2, 2, 3], [1, 2, 2, 3])).toBeCloseTo(1, 6);
  });

  it('computes the median', () => {
    expect([medianOf([3, 1, 2]), medianOf([])]).toEqual([2, 0]);
  });
});
