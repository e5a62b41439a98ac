import type { Duration } from '@libs/domain';
import type { StepResult, Done, Hop, Nap } from './step-result.js';

/** One step of a workflow, as its table declares it. */
export interface StepSpec {
  /** The possible next steps. Empty: the workflow ends after this step. */
  readonly to: readonly string[];
  /** After this time an incident is opened. The step continues. */
  readonly deadline?: Duration;
  /** After this time the step fails, and the finished steps are undone. Absent: no limit. */
  readonly giveUpAfter?: Duration;
  /** The step that undoes this one. Registered before this step runs, so that a lost reply leaves no resources. */
  readonly undoneBy?: string;
  /** Runs only to undo: no hop leads to it. */
  readonly isUndo?: boolean;
}

/** The steps of a workflow and the possible next steps of each. The workflow starts at the first step. */
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

/** Declares a table. A hop to an unknown step does not compile. */
export const stepTable = <const T extends StepTable & Check<T>>(table: T): T => table;

type Next<T extends StepTable, K extends keyof T> = T[K]['to'] extends readonly []
  ? Nap | Done
  : Nap | Hop<T[K]['to'][number]>;

/** The steps of a table as methods. A missing step, an undeclared hop or an early end does not compile. */
export type StepsOf<T extends StepTable, Context> = {
  [K in keyof T]: (context: Context) => Promise<Next<T, K>>;
};

/** Any step, as the runner calls it. */
export type Step<Context> = (context: Context) => Promise<StepResult>;
