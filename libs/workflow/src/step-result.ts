import type { Duration } from '@libs/domain';

/** Rows to write in the transaction that records the result. Must not make network calls. */
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
  /** What the operation waits for, shown to readers of the operation. */
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

/** Continues with another step. */
export const hop = <const S extends string>(to: S, options: HopOptions = {}): Hop<S> => ({
  kind: 'hop',
  to,
  write: options.write,
  memo: options.memo,
});

/** Runs the same step again later, or at once after a signal. */
export const nap = (duration: Duration, reason: string): Nap => ({ kind: 'nap', duration, reason });

/** The workflow or the undo step has ended. */
export const done = (options: { write?: StepWrite } = {}): Done => ({ kind: 'done', write: options.write });

/** Thrown by a step that can never succeed. The finished steps are undone, and the operation fails with this reason. */
export class StepImpossible extends Error {}
