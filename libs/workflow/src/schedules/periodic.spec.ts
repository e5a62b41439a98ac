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
