import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileLock, until } from '@libs/host/os';
import { makePrivateDirectory } from '@libs/domain/starts';
import { LauncherError } from '../launcher-error.js';
import { locateBinaries } from './binaries.js';
import { clusterFiles, type ClusterFiles } from './cluster-files.js';
import { DATABASE, runStatement, superuserUrl } from './connect.js';
import { ensureCluster, requireOwnVersion } from './create-cluster.js';
import { findPostmaster, stopPostmaster, type StopTimes } from './postmaster.js';
import type { RunAsName } from './run-as.js';
import { READY_MS, startPostmaster } from './start-postmaster.js';

export interface EnsureDatabaseOptions {
  /** The Landlord data directory. The database is in `<data dir>/postgres`. Created with mode 0700 if it is missing. */
  dataDir: string;
  /** Settings for postgresql.conf. Used only when the cluster is created. */
  settings?: Record<string, string>;
  /** Only these ways of running PostgreSQL as root, in this order. */
  runAsAmong?: RunAsName[];
}

/** A running embedded database. */
export interface DatabaseHandle {
  /** The superuser's URL of the database `landlord`, on 127.0.0.1. */
  url: string;
  port: number;
  /** Pid of the postmaster. */
  pid: number;
  /** False when this call started it. */
  reused: boolean;
}

export interface StopDatabaseOptions {
  dataDir: string;
  times?: StopTimes;
  /** Skips the rest of the fast shutdown. */
  hurry?: AbortSignal;
}

const LOCK_MS = 180_000;

/**
 * Ensures that the embedded PostgreSQL of this data directory runs, and returns its address. A running one is shared with the
 * process that started it. A killed one is recovered. It continues after the end of the caller: stopDatabase stops it. Several
 * processes may call this at once. Throws LauncherError with the end of PostgreSQL's log when it fails.
 */
export async function ensureDatabase(options: EnsureDatabaseOptions): Promise<DatabaseHandle> {
  makePrivateDirectory(options.dataDir);
  const files = clusterFiles(options.dataDir);
  const lock = await FileLock.acquire(files.lock, LOCK_MS);
  try {
    return (await reuse(files)) ?? (await startCluster(files, options));
  } finally {
    lock.release();
  }
}

/** Stops the embedded PostgreSQL of this data directory, whichever process started it. Does nothing when there is none. */
export async function stopDatabase(options: StopDatabaseOptions): Promise<void> {
  const times = options.times ?? { fastMs: 10_000, immediateMs: 5_000 };
  await stopPostmaster(clusterFiles(options.dataDir), times, options.hurry);
}

/** Whether a postmaster of this data directory is alive. */
export function isDatabaseAlive(dataDir: string): boolean {
  return findPostmaster(clusterFiles(dataDir)) !== null;
}

/** Checks that this release can start the embedded database when the running one ends. @throws StartRefused */
export function requireOwnDatabase(dataDir: string): void {
  const files = clusterFiles(dataDir);
  if (existsSync(files.data)) requireOwnVersion(files, locateBinaries());
}

async function reuse(files: ClusterFiles): Promise<DatabaseHandle | null> {
  const postmaster = findPostmaster(files);
  if (!postmaster) return null;
  await settle(files);
  const ready = findPostmaster(files);
  if (!ready) return null;
  await createDatabaseIfMissing(files, ready.port);
  return { url: superuserUrl(files, ready.port), port: ready.port, pid: ready.pid, reused: true };
}

async function startCluster(files: ClusterFiles, options: EnsureDatabaseOptions): Promise<DatabaseHandle> {
  const way = await ensureCluster(files, {
    runAs: {
      binaries: locateBinaries(),
      dataDir: dirname(files.home),
      ...(options.runAsAmong ? { among: options.runAsAmong } : {}),
    },
    settings: options.settings ?? {},
  });
  const port = await startPostmaster(way, files);
  await createDatabaseIfMissing(files, port);
  return { url: superuserUrl(files, port), port, pid: findPostmaster(files)?.pid ?? 0, reused: false };
}

/** Waits until the postmaster accepts connections or has ended. It may be recovering or shutting down. */
async function settle(files: ClusterFiles): Promise<void> {
  const settled = (): boolean => {
    const status = findPostmaster(files)?.status;
    return status === undefined || status === 'ready';
  };
  if (await until(settled, { timeoutMs: READY_MS, everyMs: 20 })) return;
  throw new LauncherError(`The PostgreSQL in ${files.data} runs but accepts no connections. See ${files.log}.`);
}

async function createDatabaseIfMissing(files: ClusterFiles, port: number): Promise<void> {
  const url = superuserUrl(files, port, 'postgres');
  const result = await runStatement(
    url,
    `select current_setting('data_directory') as data, exists (select from pg_database where datname = $1) as there`,
    [DATABASE],
  );
  const row = result.rows[0] as { data: string; there: boolean };
  if (realpathSync(row.data) !== realpathSync(files.data)) {
    throw new LauncherError(`The PostgreSQL on port ${port} serves ${row.data}, not ${files.data}.`);
  }
  if (!row.there) await runStatement(url, `create database ${DATABASE}`);
}
