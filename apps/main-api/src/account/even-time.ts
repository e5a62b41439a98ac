import { randomInt } from 'node:crypto';

/** Longer than what either case takes to write, on a busy machine too. A password is hashed before, in both cases. */
const FLOOR_MS = 250;
/** In what the machine does beside, such as sending a mail, differences of tenths of a millisecond may show: they drown in this. */
const SPREAD_MS = 50;

/** How long an answer takes that must not tell whether an address has an account. */
export const evenMs = (): number => FLOOR_MS + randomInt(SPREAD_MS);
