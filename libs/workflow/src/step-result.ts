import type { Duration } from '@libs/domain';

/** Rows to write in the transaction that records the result. No network call in it. */
export type StepWrite = () => Promise<void>;

export interface Hop<S extends string = string> {
  readonly kind: 'hop';
  readonly to: S;
  readonly write: StepWrite | undefined;
  readonly memo: Record<string, unknown> | undefined;
}

export interface Nap {
  readonly kind: 'nap';
  readonly duration: Duration;
  /** Said to whoever reads the operation: what is being waited for. */
  readonly reason: string;
}

export interface Done {
  readonly kind: 'done';
  readonly write: StepWrite | undefined;
}

export type StepResult = Hop | Nap | Done;

export interface HopOptions {
  write?: StepWrite;
  /** Merged into the memo of the operation. */
  memo?: Record<string, unknown>;
}

/** Go on with another step. */
export const hop = <const S extends string>(to: S, options: HopOptions = {}): Hop<S> => ({
  kind: 'hop',
  to,
  write: options.write,
  memo: options.memo,
});

/** Come back to the same step later, or at once when a signal arrives. */
export const nap = (duration: Duration, reason: string): Nap => ({ kind: 'nap', duration, reason });

/** The workflow, or the undo step, has ended. */
export const done = (options: { write?: StepWrite } = {}): Done => ({ kind: 'done', write: options.write });

/** Thrown by a step that can never succeed: what was done is undone, and the operation fails with this reason. */
export class StepImpossible extends Error {}
