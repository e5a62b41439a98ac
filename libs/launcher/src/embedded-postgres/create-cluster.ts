import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartRefused, makePrivateDirectory } from '@libs/domain/starts';
import { readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';
import { versionOf, type PostgresBinaries } from './binaries.js';
import { ensureOwner, finishRestore, type ClusterFiles } from './cluster-files.js';
import { chooseRunAs, POSTGRES_ENVIRONMENT, type RunAs, type RunAsRequest } from './run-as.js';

/** The superuser of an embedded database. */
export const SUPERUSER = 'landlord';

/**
 * Settings that clusters of earlier releases lack. The disk of a server costs about the same for any page. With the default, 4,
 * PostgreSQL reads whole tables for the rows of one cell or tenant.
 */
const SINCE_THE_FIRST_RELEASE: Record<string, string> = { random_page_cost: '1.1' };

/** Suitable for two cores and little memory. They are written to postgresql.conf, where an operator can change them. */
const SETTINGS: Record<string, string> = {
  max_connections: '200',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  ...SINCE_THE_FIRST_RELEASE,
  max_wal_size: '1GB',
  jit: 'off',
  // Fewer idle processes: the database is small and mostly in memory, and Landlord subscribes to no other database.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%j] %q%u@%d ',
  log_checkpoints: 'off',
};

export interface CreateClusterOptions {
  runAs: RunAsRequest;
  /** Override the settings above in postgresql.conf of a new cluster. */
  settings: Record<string, string>;
}

/** Creates the cluster if it is missing. Returns the way to run it. Call it with the lock and without a running postmaster. */
export async function ensureCluster(files: ClusterFiles, options: CreateClusterOptions): Promise<RunAs> {
  makePrivateDirectory(files.home);
  makePrivateDirectory(dirname(files.log));
  const way = chooseRunAs(options.runAs);
  finishRestore(files);
  if (existsSync(files.data)) {
    requireOwnVersion(files, options.runAs.binaries);
    ensureOwner(files, way);
    addMissingSettings(join(files.data, 'postgresql.conf'));
    return way;
  }
  // A draft remains after a crash during initdb. It never contains data.
  rmSync(files.draft, { recursive: true, force: true });
  writePrivateFileSync(files.password, randomBytes(24).toString('base64url'));
  ensureOwner(files, way);
  await runInitdb(way, files, { ...SETTINGS, ...options.settings });
  renameSync(files.draft, files.data);
  return way;
}

/** A value that the file already has is the choice of the operator, and stays. */
function addMissingSettings(path: string): void {
  const present = readFileIfAnySync(path) ?? '';
  const missing = Object.entries(SINCE_THE_FIRST_RELEASE).filter(
    ([name]) => !new RegExp(`^\\s*${name}\\b`, 'm').test(present),
  );
  if (missing.length > 0) appendFileSync(path, missing.map(([name, value]) => `\n${name} = ${value}\n`).join(''));
}

/** PostgreSQL reads only files of its own major version. @throws StartRefused */
export function requireOwnVersion(files: ClusterFiles, binaries: PostgresBinaries): void {
  const version = readFileIfAnySync(join(files.data, 'PG_VERSION')) ?? 'unknown';
  const supported = versionOf(binaries).split('.')[0] ?? '';
  if (version === supported) return;
  throw StartRefused.because('cluster_of_another_version', { found: version, own: supported, path: files.data });
}

async function runInitdb(way: RunAs, files: ClusterFiles, settings: Record<string, string>): Promise<void> {
  const { file, args, ...ids } = way.command(way.binaries.initdb, [
    ...['--pgdata', files.draft, '--username', SUPERUSER, '--pwfile', files.password],
    ...['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256'],
    ...Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ]);
  const child = spawn(file, args, { ...ids, cwd: '/', env: POSTGRES_ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new LauncherError(`PostgreSQL's initdb failed (exit code ${code}):\n${output.join('').trim()}`);
}
