import { setTimeout as delay } from 'node:timers/promises';
import { outageOf } from '@libs/domain';

/** A server that ends all its connections takes new ones at once. The other attempts of this moment must not come together. */
const PAUSE_MS = 100;

/** Whether a cut connection or an undone transaction, of which the second attempt knows nothing, ended the work. */
const isBrief = (error: unknown): boolean => outageOf(error)?.isBrief ?? false;

/** The pause before the second attempt, in milliseconds. */
const pauseMs = (): number => PAUSE_MS * (1 + Math.random());

/**
 * Runs the work again, once, when the connection to the database was cut. Only for work that may run twice: it reads, or a record
 * in its transaction says that it was done.
 */
export const repeatOnce = <T>(work: () => Promise<T>): Promise<T> => orOnceMore(work(), work, () => true);

/** Waits for a first attempt that runs already, and makes a second one like `repeatOnce`. `mayRepeat` is asked before. */
export async function orOnceMore<T>(first: Promise<T>, work: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  try {
    return await first;
  } catch (error) {
    if (!isBrief(error) || !mayRepeat()) throw error;
    await delay(pauseMs());
    return work();
  }
}
