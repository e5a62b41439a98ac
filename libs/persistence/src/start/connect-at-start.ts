import { setTimeout as delay } from 'node:timers/promises';
import { outageOf } from '@libs/domain';
import { StartRefused } from '@libs/domain/starts';
import pg from 'pg';

/** What `DATABASE_URL` names, without the password. */
export interface DatabaseNames {
  /** `host:port`. */
  server: string;
  role: string;
  database: string;
}

const CONNECT_MS = 5_000;
const PAUSE_MS = 500;
const STATEMENT_MS = 30_000;

/** The names for messages. */
export function databaseNames(databaseUrl: string): DatabaseNames {
  const { host, port, user, database } = new pg.Client({ connectionString: databaseUrl });
  return { server: `${host}:${port}`, role: user ?? '', database: database ?? '' };
}

/**
 * Runs `work` on one connection. Repeats the connection for `patienceMs` while the server is away, because containers start at
 * the same time. @throws StartRefused when the server or the database refuses
 */
export async function withDatabase<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  patienceMs = 0,
): Promise<T> {
  const client = await connect(databaseUrl, performance.now() + patienceMs);
  try {
    return await work(client);
  } catch (error) {
    throw databaseRefusal(databaseUrl, error) ?? error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(databaseUrl: string, deadline: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    application_name: 'landlord-start',
  });
  // Without a listener an error between two statements would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const refusal = databaseRefusal(databaseUrl, error) ?? away(databaseUrl, error);
    if (refusal.causeName !== 'database_away' || performance.now() >= deadline) throw refusal;
  }
  await delay(PAUSE_MS);
  return connect(databaseUrl, deadline);
}

/** Words for codes of Node, whose messages are for programmers. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ECONNRESET: 'the connection was cut',
  ENOENT: 'the socket does not exist',
};
const NO_RIGHT = '42501';
const NO_ENTRY = '28000';
/** SQLSTATE of causes that need no further facts. */
const PLAIN_CAUSES: Record<string, 'password_wrong' | 'database_missing' | 'database_read_only'> = {
  '28P01': 'password_wrong',
  '3D000': 'database_missing',
  '25006': 'database_read_only',
};

/** The refusal for an error of pg, or null when the error has another cause. Never contains the password. */
export function databaseRefusal(databaseUrl: string, error: unknown): StartRefused | null {
  if (error instanceof StartRefused) return error;
  return refusalOfDriver(databaseUrl, error) ?? outageRefusal(databaseUrl, error);
}

function refusalOfDriver(databaseUrl: string, error: unknown): StartRefused | null {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const names = databaseNames(databaseUrl);
  const options = { cause: error };
  const plainCause = message.includes('password must be a') ? 'password_wrong' : PLAIN_CAUSES[code];
  if (plainCause !== undefined) return StartRefused.because(plainCause, { ...names }, options);
  if (code === NO_ENTRY || message.startsWith('permission denied for database'))
    return StartRefused.because('role_refused', { ...names, reason: plain(message) }, options);
  if (code === NO_RIGHT) return rightsRefusal(names, [plain(message)], [OWN_TABLES], options);
  return null;
}

function outageRefusal(databaseUrl: string, error: unknown): StartRefused | null {
  const outage = outageOf(error);
  if (outage?.code !== 'storage_full') return outage === null ? null : away(databaseUrl, error);
  const { message = '' } = error as { message?: string };
  const { server } = databaseNames(databaseUrl);
  return StartRefused.because('database_disk_full', { server, reason: plain(message) }, { cause: error });
}

const OWN_TABLES = 'Set DATABASE_URL to the role that owns the tables, or grant these rights to the role.';

/** The refusal for missing rights. `grants` are the statements that give them. */
export function rightsRefusal(
  names: DatabaseNames,
  rights: readonly string[],
  grants: readonly string[],
  options?: ErrorOptions,
): StartRefused {
  return StartRefused.because(
    'rights_missing',
    { ...names, rights: rights.join(', '), grants: grants.join(' ') },
    options,
  );
}

/** The refusal for an error of PostgreSQL during a migration. Null for an error that is not of PostgreSQL. */
export function migrationRefusal(databaseUrl: string, error: unknown): StartRefused | null {
  const refusal = databaseRefusal(databaseUrl, error);
  if (refusal !== null) return refusal;
  // TypeORM copies the members of the driver's error to its own.
  const { severity, message } = (error ?? {}) as { severity?: unknown; message?: string };
  if (typeof severity !== 'string') return null;
  const { database, server } = databaseNames(databaseUrl);
  const reason = plain(message ?? '');
  return StartRefused.because('migration_failed', { database, server, reason }, { cause: error });
}

function away(databaseUrl: string, error: unknown): StartRefused {
  const [one = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const { code = '', message = '' } = (one ?? {}) as { code?: string; message?: string };
  const reason = REASONS[code] ?? (plain(message) || 'no answer');
  return StartRefused.because(
    'database_away',
    { server: databaseNames(databaseUrl).server, reason: withoutPassword(databaseUrl, reason) },
    { cause: error },
  );
}

/** Messages of libraries are not under our control, so this removes a password that one of them repeats. */
function withoutPassword(databaseUrl: string, text: string): string {
  const { password } = new pg.Client({ connectionString: databaseUrl });
  return typeof password === 'string' && password !== '' ? text.replaceAll(password, '[password]') : text;
}

const plain = (message: string): string => message.trim().replace(/\.$/, '');
