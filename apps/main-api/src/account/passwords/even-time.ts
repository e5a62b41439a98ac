import { randomInt } from 'node:crypto';

/** Longer than the writes in both cases, also on a busy machine. Both cases hash a password before. */
const FLOOR_MS = 250;
/**
 * Other work of the machine, such as sending a mail, can cause differences of tenths of a millisecond. This random time
 * hides them.
 */
const SPREAD_MS = 50;

/** Returns the duration of an answer that must not reveal whether an address has an account. */
export const evenMs = (): number => FLOOR_MS + randomInt(SPREAD_MS);
