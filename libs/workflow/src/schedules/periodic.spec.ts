import { eventually } from '@libs/testing';
import { Periodic } from './periodic.js';

const LONG_MS = 3600_000;

/** A pass that ends when the test lets it. */
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

describe('A periodic look', () => {
  const failed = (): void => undefined;

  it('comes at once when it is rung, long before its turn', async () => {
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

  it('comes once more, and not at the same time, when it is rung while it runs', async () => {
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

  it('is not woken after its end', async () => {
    const gate = new Gate();
    const periodic = new Periodic({ pass: gate.pass, everyMs: LONG_MS, failed });
    await periodic.stop();

    periodic.wakeUp();
    await new Promise((resolve) => setImmediate(resolve));

    expect(gate.passes).toBe(0);
  });
});
