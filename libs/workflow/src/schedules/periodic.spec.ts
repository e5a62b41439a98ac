import { jest } from '@jest/globals';
import { eventually } from '@libs/testing';
import { Periodic } from './periodic.js';

const LONG_MS = 3600_000;

/** A pass that ends when the test allows it. */
class Gate {
  passes = 0;
  private readonly waiting: (() => void)[] = [];

  pass = async (): Promise<void> => {
    this.passes += 1;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  };

  async release(): Promise<void> {
    (await eventually('a pass runs', () => this.waiting.shift()))();
  }
}

describe('A periodic pass', () => {
  const failed = (): void => undefined;

  it('runs at once after a wake-up, long before its period ends', async () => {
    const gate = new Gate();
    const periodic = new Periodic({ pass: gate.pass, everyMs: LONG_MS, failed });
    periodic.start();
    await gate.release();

    await eventually('it comes again', () => {
      periodic.wakeUp();
      return gate.passes === 2;
    });

    await gate.release();
    await periodic.stop();
  });

  it('runs once more, and not concurrently, after wake-ups during a pass', async () => {
    const gate = new Gate();
    const periodic = new Periodic({ pass: gate.pass, everyMs: LONG_MS, failed });
    periodic.start();
    await eventually('it runs', () => gate.passes === 1);

    for (let n = 0; n < 5; n += 1) periodic.wakeUp();
    expect(gate.passes).toBe(1);
    await gate.release();
    await eventually('it runs once more', () => gate.passes === 2);
    await gate.release();

    await periodic.stop();
    expect(gate.passes).toBe(2);
  });

  it('runs again after its period, more or less a fifth, also after a failure', async () => {
    const times: number[] = [];
    const failures: unknown[] = [];
    const pass = async (): Promise<void> => {
      times.push(performance.now());
      throw new TypeError('no');
    };
    const periodic = new Periodic({ pass, everyMs: 200, failed: (error) => void failures.push(error) });
    periodic.start();
    await eventually('four passes', () => times.length === 4);

    await periodic.stop();

    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThan(155);
    expect(Math.max(...pauses)).toBeLessThan(2_000);
    expect(failures).toHaveLength(4);
  });

  describe('whose pass asks for a longer pause', () => {
    const everyMs = 1000;
    let passes: number;
    const pass = async (): Promise<number> => {
      passes += 1;
      return LONG_MS;
    };

    beforeEach(() => {
      passes = 0;
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    });
    afterEach(() => jest.useRealTimers());

    it('pauses that long, more or less a fifth', async () => {
      const periodic = new Periodic({ pass, everyMs, failed });
      periodic.start();

      await jest.advanceTimersByTimeAsync(LONG_MS * 0.79);
      expect(passes).toBe(1);
      await jest.advanceTimersByTimeAsync(LONG_MS * 0.42);
      expect(passes).toBe(2);
      await periodic.stop();
    });

    it('runs within its period after a change, but not at once', async () => {
      const periodic = new Periodic({ pass, everyMs, failed });
      periodic.start();
      await jest.advanceTimersByTimeAsync(0);

      periodic.soon();
      await jest.advanceTimersByTimeAsync(everyMs / 2);
      periodic.soon();
      expect(passes).toBe(1);

      await jest.advanceTimersByTimeAsync(everyMs / 2);
      expect(passes).toBe(2);
      await periodic.stop();
    });

    it('runs after its period when a change came during the pass', async () => {
      const periodic: Periodic = new Periodic({
        pass: async () => {
          if (passes === 0) periodic.soon();
          return pass();
        },
        ...{ everyMs, failed },
      });
      periodic.start();

      await jest.advanceTimersByTimeAsync(everyMs * 1.21);

      expect(passes).toBe(2);
      await periodic.stop();
    });

    it('does not start because of a change', async () => {
      const periodic = new Periodic({ pass, everyMs, failed });

      periodic.soon();
      await jest.advanceTimersByTimeAsync(LONG_MS);

      expect(passes).toBe(0);
    });
  });

  describe('that gathers wake-ups', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());

    it('runs once for all wake-ups of that time, counted from the first one', async () => {
      let passes = 0;
      const pass = async (): Promise<void> => void (passes += 1);
      const periodic = new Periodic({ pass, everyMs: LONG_MS, gatherMs: 20, failed });
      periodic.start();
      await jest.advanceTimersByTimeAsync(0);

      for (let ms = 0; ms < 19; ms += 1) {
        periodic.wakeUp();
        await jest.advanceTimersByTimeAsync(1);
      }
      expect(passes).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(passes).toBe(2);

      await jest.advanceTimersByTimeAsync(100);
      expect(passes).toBe(2);
      await periodic.stop();
    });
  });

  describe('that fails', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());

    it('pauses longer and longer, at most four seconds, also when wake-ups come all the time', async () => {
      const times: number[] = [];
      const pass = async (): Promise<void> => {
        times.push(performance.now());
        periodic.wakeUp();
        throw new TypeError('refused');
      };
      const periodic: Periodic = new Periodic({ pass, everyMs: LONG_MS, failed });
      periodic.start();

      for (let ms = 0; ms < 60_000; ms += 10) {
        periodic.wakeUp();
        await jest.advanceTimersByTimeAsync(10);
      }
      await periodic.stop();

      const pauses = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(4_010);
      expect(times.length).toBeGreaterThan(14);
      expect(times.length).toBeLessThan(40);
    });

    it('answers wake-ups at once after its next success', async () => {
      let passes = 0;
      const pass = async (): Promise<void> => {
        passes += 1;
        if (passes < 8) throw new TypeError('refused');
      };
      const periodic = new Periodic({ pass, everyMs: 10, failed });
      periodic.start();
      while (passes < 8) await jest.advanceTimersByTimeAsync(100);
      const before = passes;

      periodic.wakeUp();
      await jest.advanceTimersByTimeAsync(1);

      expect(passes).toBeGreaterThan(before);
      await periodic.stop();
    });
  });

  it('starts with the first wake-up, and reports no failure of a pass that the stop interrupts', async () => {
    const failures: unknown[] = [];
    let begun = false;
    const pass = (stopping: AbortSignal): Promise<void> => {
      begun = true;
      return new Promise((_, reject) => stopping.addEventListener('abort', () => reject(new TypeError('stopped'))));
    };
    const periodic = new Periodic({ pass, everyMs: LONG_MS, failed: (error) => void failures.push(error) });
    periodic.wakeUp();
    await eventually('it runs', () => begun);

    await periodic.stop();

    expect(failures).toEqual([]);
  });

  it('does not run after stop', async () => {
    const gate = new Gate();
    const periodic = new Periodic({ pass: gate.pass, everyMs: LONG_MS, failed });
    await periodic.stop();

    periodic.wakeUp();
    await new Promise((resolve) => setImmediate(resolve));

    expect(gate.passes).toBe(0);
  });
});
