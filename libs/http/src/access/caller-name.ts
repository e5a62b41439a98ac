import type { Caller } from '../ports.js';

/**
 * Returns the name of a caller for data stored per caller: idempotency records, rates, open streams. All sessions of a
 * user are one caller.
 */
export const callerName = ({ key, user }: Caller): string => (key ? `key:${key.id}` : `user:${user.id}`);
