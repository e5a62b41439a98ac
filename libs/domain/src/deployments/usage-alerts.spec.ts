import fc from 'fast-check';
import { CALM, nextUsageState, type UsageState, type UsageThresholds } from './usage-alerts.js';

const thresholds: fc.Arbitrary<UsageThresholds> = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 6 }))
  .map(([one, other, samples]) => ({
    highPercent: Math.max(one, other),
    resolvedPercent: Math.min(one, other),
    samples,
  }));
const percents = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 60 });

/** The states after each sample. The first is the state before any sample. */
const statesOf = (values: number[], limits: UsageThresholds): UsageState[] =>
  values.reduce<UsageState[]>(
    (states, value) => [...states, nextUsageState(states.at(-1) ?? CALM, value, limits)],
    [CALM],
  );

describe('A period of high usage', () => {
  it('starts with the last of `samples` consecutive samples above the threshold, and never otherwise', () => {
    fc.assert(
      fc.property(percents, thresholds, (values, limits) => {
        const states = statesOf(values, limits);
        values.forEach((_, index) => {
          const [before, after] = [states[index], states[index + 1]];
          const last = values.slice(Math.max(0, index + 1 - limits.samples), index + 1);
          const areAbove = last.length === limits.samples && last.every((value) => value > limits.highPercent);
          if (!before?.isHigh && after?.isHigh) expect(areAbove).toBe(true);
          if (areAbove) expect(after?.isHigh).toBe(true);
        });
      }),
    );
  });

  it('ends with the first sample below the lower threshold, and never otherwise', () => {
    fc.assert(
      fc.property(percents, thresholds, (values, limits) => {
        const states = statesOf(values, limits);
        values.forEach((value, index) => {
          if (states[index]?.isHigh) expect(states[index + 1]?.isHigh).toBe(value >= limits.resolvedPercent);
        });
      }),
    );
  });

  it('requires consecutive samples', () => {
    const limits = { highPercent: 90, resolvedPercent: 80, samples: 3 };

    expect(statesOf([95, 95, 85, 95, 95, 95, 85, 79, 95], limits).map(({ isHigh }) => isHigh)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});
