import { StepImpossible, type Runner } from '@libs/workflow';
import type { Around } from './workflow-bench.js';

/** One run of a workflow on a world of its own: rows, a cloud, whoever else takes part. */
export interface StoryRun {
  /** Runs the operation to its end; each call of `runner` is a fresh process. Answers its status. */
  drive(around: Around): Promise<string>;
  /** Asserts that it was done, exactly once. */
  expectDone(): Promise<void>;
  /** Asserts that nothing of it is left, and that whoever asked is told why. */
  expectUndone(): Promise<void>;
}

export interface Story {
  /** The steps of a run without trouble, in order. */
  steps: readonly string[];
  /** Steps whose failure is undone; none for a workflow that never gives up. */
  undoable: readonly string[];
  begin(): Promise<StoryRun>;
}

/** Given for free to every workflow: it must bear all that happens to a process. */
export function stepSuites(
  name: string,
  story: () => Story,
  steps: readonly string[],
  undoable: readonly string[],
): void {
  describe(`${name} survives`, () => {
    it('every step twice', async () => {
      const run = await story().begin();

      const status = await run.drive(async (_step, step) => {
        await step();
        return step();
      });

      expect(status).toBe('succeeded');
      await run.expectDone();
    });

    it.each(steps)('a reply lost after %s', async (step) => {
      const run = await story().begin();

      const status = await run.drive(
        once(step, async (work) => {
          await work();
          throw new TypeError('the reply was lost');
        }),
      );

      expect(status).toBe('succeeded');
      await run.expectDone();
    });

    it.each(steps)('a kill -9 before and after %s', async (step) => {
      const run = await story().begin();
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
      const run = await story().begin();

      const status = await run.drive(
        once(step, async () => {
          throw new StepImpossible('not today');
        }),
      );

      expect(status).toBe('failed');
      await run.expectUndone();
    });

    it.each(undoable)('when %s fails after its effect', async (step) => {
      const run = await story().begin();

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

/** Does something else in place of one step, the first time it runs. */
function once(step: string, instead: (work: () => Promise<unknown>) => Promise<unknown>): Around {
  let isDone = false;
  return async (current, work) => {
    if (current !== step || isDone) return work();
    isDone = true;
    return instead(work);
  };
}

export type { Runner };
