import type { Caller } from '../ports.js';

/** Names a caller in what is kept by caller: idempotency records, rates, open streams. Sessions of a user are one caller. */
export const callerName = ({ key, user }: Caller): string => (key ? `key:${key.id}` : `user:${user.id}`);
