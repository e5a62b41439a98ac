/** The refusal for a failure that ends by itself, and nothing in the request caused. */
export type OutageCode = 'service_busy' | 'storage_full';

export interface Outage {
  readonly code: OutageCode;
  /**
   * Whether the same work may succeed at once: a connection was cut, or PostgreSQL undid one of two transactions. A lock or a full
   * disk needs time, and a second attempt would only wait for as long as the first.
   */
  readonly isBrief: boolean;
  /** For people: what is away, without names of hosts, tables or files. */
  readonly says: string;
}

const FULL: Outage = { code: 'storage_full', isBrief: false, says: 'The disk takes no more data.' };
const FORBIDDEN: Outage = { ...FULL, says: 'The server may not write its files.' };
const CUT: Outage = { code: 'service_busy', isBrief: true, says: 'The database does not answer.' };
const AWAY: Outage = { code: 'service_busy', isBrief: true, says: 'A service that Landlord needs does not answer.' };
const LOCKED: Outage = { code: 'service_busy', isBrief: false, says: 'The database is busy with other work.' };
const CONFLICT: Outage = { ...LOCKED, isBrief: true };

/**
 * The connection ended after COMMIT was sent and before its answer came, so nobody knows whether the work was stored. Only a record
 * that the work itself has stored can decide.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the answer to COMMIT was lost', { cause });
  }
}

/** Codes of Node, when a file cannot be written. */
const FILE_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'];
/** What PostgreSQL and other programs print. PostgreSQL has no SQLSTATE for a quota. */
const FULL_TEXT = /No space left on device|Disk quota exceeded|Input\/output error/;

/** Codes of Node, when a connection cannot be opened or ends. */
const CONNECTION_CODES: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTFOUND', 'EAI_AGAIN'],
];
/** This process has too many open files or connections. */
const CROWDED_CODES: readonly string[] = ['EMFILE', 'ENFILE'];
/**
 * Errors of `pg` have no code. TypeORM releases a connection that is cut between two statements of a transaction, and refuses the
 * second one with a text of its own.
 */
const CUT_TEXT =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Client was closed and is not queryable|Query runner already released)/;
const CROWDED_TEXT = /^(timeout exceeded when trying to connect|Query read timeout)/;

/** SQLSTATE by its start, the longest first. */
const STATES: readonly (readonly [start: string, outage: Outage])[] = [
  ['53100', FULL], // disk full
  ['58030', FULL], // input or output error
  ['57014', LOCKED], // time limit of the statement
  ['55P03', LOCKED], // lock not available
  ['25P03', CUT], // time limit of an idle transaction
  ['25P04', LOCKED], // time limit of the transaction
  ['25006', CUT], // read-only: a standby took the address of its primary
  ['08', CUT], // connection
  ['57', CUT], // shutdown, crash, start
  ['53', LOCKED], // connections, memory
  ['40', CONFLICT], // serialization, deadlock
];

/** Wrapped errors are looked through this deep. */
const MOST_CAUSES = 5;

/**
 * The outage that an error of this process reports: its disk is full, or the database is away, cut or locked. Null for every other
 * error. The only place that knows these codes. Looks at the causes of an error and at the parts of an AggregateError.
 */
export const outageOf = (error: unknown): Outage | null => search(error, outageOfOne);

/**
 * The outage of a process that has started: also a file that it may not open or change any more. At a start, that is a wrong setting of
 * a person, which no waiting repairs.
 */
export const outageAtWork = (error: unknown): Outage | null =>
  search(error, (one) => outageOfOne(one) ?? (isForbiddenFile(one) ? FORBIDDEN : null));

/** Whether a file or the database cannot be written, because the disk is full or broken. */
export const isStorageFull = (error: unknown): boolean => outageOf(error)?.code === 'storage_full';

/** The first outage in an error, its causes and its parts. */
function search(error: unknown, judge: (one: object) => Outage | null, depth = 0): Outage | null {
  if (typeof error !== 'object' || error === null || depth > MOST_CAUSES) return null;
  const { cause, errors, driverError } = error as { cause?: unknown; errors?: unknown; driverError?: unknown };
  const inner = [cause, driverError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return judge(error) ?? inner.map((one) => search(one, judge, depth + 1)).find((one) => one !== null) ?? null;
}

function isForbiddenFile(error: object): boolean {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return ['EACCES', 'EPERM'].includes(code) && !/^(listen|bind|connect|spawn|kill)/.test(syscall);
}

function outageOfOne(error: object): Outage | null {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  const text = typeof message === 'string' ? message : '';
  if (FULL_TEXT.test(text)) return FULL;
  if (CUT_TEXT.test(text)) return CUT;
  if (CROWDED_TEXT.test(text)) return LOCKED;
  if (typeof code !== 'string') return null;
  if (FILE_CODES.includes(code)) return FULL;
  if (CONNECTION_CODES.includes(code) || (code === 'ENOENT' && syscall === 'connect')) return AWAY;
  if (CROWDED_CODES.includes(code)) return { ...LOCKED, says: 'The server has too many open files.' };
  return outageOfState(code);
}

/** A SQLSTATE has five characters, but so have some codes of Node: those have no digit. */
function outageOfState(code: string): Outage | null {
  if (!/^[0-9A-Z]{5}$/.test(code) || !/\d/.test(code)) return null;
  return STATES.find(([start]) => code.startsWith(start))?.[1] ?? null;
}
