import { hostname, userInfo } from 'node:os';
import { OperatorRefused, OperatorSession, type SessionOptions } from '@libs/operator';
import { readConfig, type LauncherConfig } from '../config.js';
import { clusterFiles } from '../embedded-postgres/cluster-files.js';
import { superuserUrl } from '../embedded-postgres/connect.js';
import { findPostmaster } from '../embedded-postgres/postmaster.js';
import { readSecretKeys } from '../files/secret-keys.js';
import { LauncherError } from '../launcher-error.js';
import { isFileProblem } from './file-problems.js';

/**
 * Opens a session, runs the work and closes the session. Without a URL on the configured database. Does not start a database.
 * Throws LauncherError for refusals of the operator library.
 */
export async function withSession<T>(
  work: (session: OperatorSession) => Promise<T>,
  config = readConfig(),
  databaseUrl?: string,
): Promise<T> {
  return explainRefusals(async () => {
    const session = await OperatorSession.open(sessionOptions(config, databaseUrl ?? runningDatabaseUrl(config)));
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  });
}

/** The options of a session on this database. */
export function sessionOptions(config: LauncherConfig, databaseUrl: string): SessionOptions {
  return {
    databaseUrl,
    secretKeys: readSecretKeys(config),
    operator: `${userName()}@${hostname()}`,
    ...(config.catalogFile === null ? {} : { catalogFile: config.catalogFile }),
  };
}

/** The URL in DATABASE_URL, or the superuser's URL of the embedded database. Throws LauncherError when that is down. */
export function runningDatabaseUrl(config: LauncherConfig): string {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const files = clusterFiles(config.dataDir);
  const running = findPostmaster(files);
  if (running?.status === 'ready') return superuserUrl(files, running.port);
  throw new LauncherError(
    `The database in ${files.home} does not run. Start Landlord first (npm start), set LANDLORD_DATA_DIR to the ` +
      'directory of the running installation, or set DATABASE_URL.',
  );
}

const NO_RIGHT = '42501';

/** Turns refusals of the operator library, and denials of the machine or the database, into LauncherError. */
export async function explainRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof OperatorRefused || isFileProblem(error)) throw new LauncherError(message, { cause: error });
    if (code !== NO_RIGHT) throw error;
    throw new LauncherError(`${message}. Set DATABASE_URL to the role that owns the tables.`, { cause: error });
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
