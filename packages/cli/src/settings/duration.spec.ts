import { timeOfInstallation } from './clock.js';
import { durationMs, durationOf, timeOf } from './duration.js';

describe('A duration', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
  ])('%s is %i milliseconds', (text, ms) => expect(durationMs(text)).toBe(ms));

  it.each(['', '10', 'm', '10x', '-1h', '1h 30m', '2026-11-30', '1e3s', '9999999d', '10M'])(
    '%j is none, and an option with it says what is right',
    (text) => {
      expect(durationMs(text)).toBeNull();
      expect(() => durationOf('--timeout', text)).toThrow(`--timeout must be a duration, and is "${text}".`);
    },
  );

  it('counts from now into the past or the future, and a date stays as it is', () => {
    const hours = (time: string): number => Math.round((Date.parse(time) - timeOfInstallation()) / 3_600_000);

    expect([hours(timeOf('24h', 'past')), hours(timeOf('90d', 'future'))]).toEqual([-24, 2_160]);
    expect(timeOf('2026-11-30', 'past')).toBe('2026-11-30');
    expect(() => durationOf('--timeout', '0s')).toThrow('must be a duration');
  });
});
