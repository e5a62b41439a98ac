/** The requests of the binary protocol of Apache Iggy 0.8 that the gate changes or refuses. */
export const LOGIN = 38;
export const LOGIN_WITH_TOKEN = 44;
export const SEND_MESSAGES = 101;

/**
 * The requests that clients may send: all of 0.8 except the snapshot (11). The snapshot has no check of permissions, and contains
 * the configuration of the server, and the processes of the machine. A code that a later release adds is refused until someone has
 * judged it.
 */
const PASSED = new Set([
  ...[1, 10, 12],
  ...[20, 21, 22, 31, 32, 33, 34, 35, 36, 37, LOGIN, 39, 41, 42, 43, LOGIN_WITH_TOKEN],
  ...[100, SEND_MESSAGES, 102, 120, 121, 122],
  ...[200, 201, 202, 203, 204, 205],
  ...[300, 301, 302, 303, 304, 305, 402, 403, 503],
  ...[600, 601, 602, 603, 604, 605],
]);

/** Requests that store something new: messages, streams, topics, partitions, users, tokens, consumer groups. */
const STORING = new Set([33, 42, SEND_MESSAGES, 202, 302, 402, 602]);

export const isStoring = (code: number): boolean => STORING.has(code);

export const isPassed = (code: number): boolean => PASSED.has(code);
