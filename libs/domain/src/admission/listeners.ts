import { readFileSync } from 'node:fs';

/** The kinds of listeners. Each has a row in the table of docs/security.md. */
export type ListenerName = AppListener | 'gate';
export type AppListener = 'main-api' | 'supervisor-api' | 'gateway';

/** The limits of the connections of one listener. */
export interface ConnectionLimits {
  /** Connections of all kinds. */
  readonly places: number;
  /** Connections before sign-in that are served at once. */
  readonly unknown: number;
  /** Connections before sign-in of one network: an IPv4 address, or a /64 of IPv6. */
  readonly ofNetwork: number;
  /** Places before sign-in in addition, for networks whose callers have signed in. */
  readonly reserve: number;
  /** Connections of one caller after sign-in. The newest replaces the oldest idle one. */
  readonly ofCaller: number;
  /**
   * Without an idle one, the newest replaces the oldest that is being answered: an agent that comes back has left its requests. A client
   * of an API has not, so the request of its newest connection is refused.
   */
  readonly cutsAnswers: boolean;
  /** Time until sign-in, and the longest pause before sign-in. */
  readonly signInMs: number;
  /** Connections that wait to be served. */
  readonly waiting: number;
  /** Time in which a new connection is not cut for another one: with TLS, both sides compute first. */
  readonly handshakeMs: number;
}

/**
 * Connections that the kernel keeps until Node takes them; the kernel has a maximum of its own. With the 511 of Node, the kernel drops or
 * resets connections of callers in a flood, and when all agents come back at once.
 */
export const BACKLOG = 16_384;

/** Open files that connections may not use: those of PostgreSQL, of the queue, of archives and logs. */
const OTHER_FILES = 500;
/** Of a process with few files, connections get at most this part. */
const PART_OF_FEW = 0.5;
/** Without a known limit of files. */
const UNKNOWN_FILES = 1_000_000;

/** Connections that this process can have at once. Node raises its limit of open files to the hard limit at its start. */
export function connectionsOfProcess(readLimits: () => string = readOwnLimits): number {
  const files = openFiles(readLimits);
  return Math.max(files - OTHER_FILES, Math.floor(files * PART_OF_FEW));
}

const readOwnLimits = (): string => readFileSync('/proc/self/limits', 'utf8');

/** Outside Linux the limit is unknown. */
function openFiles(readLimits: () => string): number {
  try {
    const [, files] = /^Max open files\s+(\d+)/m.exec(readLimits()) ?? [];
    return files === undefined ? UNKNOWN_FILES : Number(files);
  } catch {
    return UNKNOWN_FILES;
  }
}

/** A row of the table: the defaults of a listener. `part`: of the connections of its process. */
interface ListenerDefaults extends Omit<ConnectionLimits, 'places' | 'handshakeMs'> {
  readonly part: number;
}

const BEFORE_SIGN_IN = { unknown: 2_000, ofNetwork: 200, reserve: 500, signInMs: 30_000 };
const OF_AN_API = { ...BEFORE_SIGN_IN, ofCaller: 512, cutsAnswers: false, waiting: 0 };

/** A Supervisor with all roles has the API and the gateway in one process, so they share its files. */
export const LISTENERS: Readonly<Record<AppListener, ListenerDefaults>> = {
  'main-api': { part: 1, ...OF_AN_API },
  'supervisor-api': { part: 0.25, ...OF_AN_API },
  // Ten thousand agents come back with two connections each. A waiting connection has no state of TLS: 4 KiB.
  gateway: { part: 0.75, ...BEFORE_SIGN_IN, ofCaller: 8, cutsAnswers: true, waiting: 16_000 },
};

/** With TLS, a connection may need this time before its first request when many begin at once. */
const TLS_HANDSHAKE_MS = 2_000;

/** The limits of a listener in this process. `settings`: what the operator has set. */
export function limitsOf(
  listener: AppListener,
  { hasTls, ...settings }: Partial<ConnectionLimits> & { hasTls: boolean },
): ConnectionLimits {
  const { part, ...row } = LISTENERS[listener];
  const places = settings.places ?? Math.floor(connectionsOfProcess() * part);
  const limits = { ...row, handshakeMs: hasTls ? TLS_HANDSHAKE_MS : 0, ...settings };
  return withinPlaces({ ...limits, places });
}

/** Connections before sign-in at a gate, in addition to those of its signed-in clients. */
const UNKNOWN_AT_GATE = 512;
const RESERVE_AT_GATE = 128;

/** The limits of a gate. `clients`: the signed-in clients that its broker accepts. */
export function limitsOfGate(clients: number, signInMs: number): ConnectionLimits {
  const free = connectionsOfProcess();
  const [unknown, reserve] = [UNKNOWN_AT_GATE, RESERVE_AT_GATE].map((most) => Math.min(most, Math.floor(free / 4)));
  return {
    ...{
      unknown: unknown ?? 0,
      reserve: reserve ?? 0,
      ofNetwork: Math.ceil((unknown ?? 0) / 2),
      ofCaller: Infinity,
      cutsAnswers: false,
    },
    ...{ places: clients + (unknown ?? 0) + (reserve ?? 0), signInMs, waiting: 0, handshakeMs: 0 },
  };
}

/** Connections before sign-in never take more than half of all places. */
function withinPlaces(limits: ConnectionLimits): ConnectionLimits {
  const unknown = Math.min(limits.unknown, Math.ceil(limits.places / 2));
  return {
    ...limits,
    unknown,
    reserve: Math.min(limits.reserve, Math.floor(limits.places / 4)),
    ofNetwork: Math.min(limits.ofNetwork, unknown),
  };
}
