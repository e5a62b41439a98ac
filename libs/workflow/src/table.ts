import type { Duration } from '@libs/domain';
import type { StepResult, Done, Hop, Nap } from './step-result.js';

/** One step of a workflow, as its table declares it. */
export interface StepSpec {
  /** Where the step may go; empty: the workflow ends here. */
  readonly to: readonly string[];
  /** Past it an incident is opened; the step goes on. */
  readonly deadline?: Duration;
  /** Past it the step is given up and what was done is undone. Absent: never. */
  readonly giveUpAfter?: Duration;
  /** The step that undoes this one; registered before it runs, so that a lost reply leaves nothing behind. */
  readonly undoneBy?: string;
  /** Runs only to undo: never entered by a hop. */
  readonly isUndo?: boolean;
}

/** A workflow's table of contents: its steps and where each may go. The first step is where it starts. */
export type StepTable = Readonly<Record<string, StepSpec>>;

type Check<T extends StepTable> = {
  [K in keyof T]: {
    to: readonly (keyof T & string)[];
    deadline?: Duration;
    giveUpAfter?: Duration;
    undoneBy?: keyof T & string;
    isUndo?: boolean;
  };
};

/** Declares a table; an edge to an unknown step does not compile. */
export const stepTable = <const T extends StepTable & Check<T>>(table: T): T => table;

type Next<T extends StepTable, K extends keyof T> = T[K]['to'] extends readonly []
  ? Nap | Done
  : Nap | Hop<T[K]['to'][number]>;

/** The steps of a table as methods: a missing step, an undeclared hop, an early end do not compile. */
export type StepsOf<T extends StepTable, Context> = {
  [K in keyof T]: (context: Context) => Promise<Next<T, K>>;
};

/** Any step, as the runner calls it. */
export type Step<Context> = (context: Context) => Promise<StepResult>;
