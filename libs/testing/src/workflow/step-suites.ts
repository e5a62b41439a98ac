import { StepImpossible } from '@libs/workflow';
import type { Around } from './workflow-bench.js';

/** One run of a workflow in its own environment: rows, a cloud, and other participants. */
export interface StoryRun {
  /** Runs the operation to its end. Each call of `runner` is a new process. Returns the status. */
  drive(around: Around): Promise<string>;
  /** Asserts that the work was done exactly once. */
  expectDone(): Promise<void>;
  /** Asserts that nothing is left, and that the requester gets the reason. */
  expectUndone(): Promise<void>;
}

/**
 * Tests that every workflow must pass: it must survive all failures of a process. `begin` makes the environment of one run
 * and starts the operation there. `steps`: those of a run without failures, in order. `undoable`: those whose failure is undone;
 * empty for a workflow that never fails.
 */
export function stepSuites(
  name: string,
  begin: () => Promise<StoryRun>,
  steps: readonly string[],
  undoable: readonly string[],
): void {
  describe(`${name} survives`, () => {
    it('running every step twice', async () => {
      const run = await begin();

      const status = await run.drive(async (_step, step) => {
        await step();
        return step();
      });

      expect(status).toBe('succeeded');
      await run.expectDone();
    });

    it.each(steps)('a lost reply after %s', async (step) => {
      const run = await begin();

      const status = await run.drive(
        once(step, async (work) => {
          await work();
          throw new TypeError('the reply was lost');
        }),
      );

      expect(status).toBe('succeeded');
      await run.expectDone();
    });

    it.each(steps)('kill -9 before and after %s', async (step) => {
      const run = await begin();
      const deaths = { before: 0, after: 0 };

      const status = await run.drive(async (current, work, die) => {
        if (current === step && deaths.before++ === 0) die();
        const result = await work();
        if (current === step && deaths.after++ === 0) die();
        return result;
      });

      expect(status).toBe('succeeded');
      expect(deaths.after).toBeGreaterThan(0);
      await run.expectDone();
    });
  });

  if (undoable.length === 0) return;
  describe(`${name} leaves nothing behind`, () => {
    it.each(undoable)('when %s fails', async (step) => {
      const run = await begin();

      const status = await run.drive(
        once(step, async () => {
          throw new StepImpossible('not today');
        }),
      );

      expect(status).toBe('failed');
      await run.expectUndone();
    });

    it.each(undoable)('when %s fails after its effect', async (step) => {
      const run = await begin();

      const status = await run.drive(
        once(step, async (work) => {
          await work();
          throw new StepImpossible('not today');
        }),
      );

      expect(status).toBe('failed');
      await run.expectUndone();
    });
  });
}

/** Replaces one step the first time it runs. */
function once(step: string, instead: (work: () => Promise<unknown>) => Promise<unknown>): Around {
  let isDone = false;
  return async (current, work) => {
    if (current !== step || isDone) return work();
    isDone = true;
    return instead(work);
  };
}
