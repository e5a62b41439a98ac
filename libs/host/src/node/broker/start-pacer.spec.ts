import { StartPacer } from './start-pacer.js';

describe('StartPacer', () => {
  it('doubles the delay from 1 s to 30 s while the process ends soon after each start', () => {
    const pacer = new StartPacer();
    const delays = Array.from({ length: 7 }, () => {
      pacer.ended(100, 0);
      return pacer.delayMs(0);
    });

    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is hopeless after five fast failures, and still continues to try', () => {
    const pacer = new StartPacer();
    const verdicts = Array.from({ length: 6 }, () => {
      pacer.ended(100, 0);
      return pacer.isHopeless;
    });

    expect(verdicts).toEqual([false, false, false, false, true, true]);
    expect(pacer.delayMs(30_000)).toBe(0);
  });

  it('resets after a long lifetime or a change', () => {
    const pacer = new StartPacer();
    for (let count = 0; count < 5; count += 1) pacer.ended(100, 0);

    pacer.ended(60_000, 0);
    expect([pacer.isHopeless, pacer.delayMs(0)]).toEqual([false, 1_000]);

    pacer.reset();
    expect(pacer.delayMs(0)).toBe(0);
  });
});
