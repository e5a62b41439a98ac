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

  it('does not run after stop', async () => {
    const gate = new Gate();
    const periodic = new Periodic({ pass: gate.pass, everyMs: LONG_MS, failed });
    await periodic.stop();

    periodic.wakeUp();
    await new Promise((resolve) => setImmediate(resolve));

    expect(gate.passes).toBe(0);
  });
});
