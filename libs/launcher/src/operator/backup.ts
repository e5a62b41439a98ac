import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BackupRecord, type BackupFacts } from '@libs/operator';
import { takeBaseBackup } from '../backup/base-backup.js';
import { backupName, BackupPlace } from '../backup/backup-place.js';
import { inTemporaryFolder } from '../backup/temporary-folder.js';
import { MANIFEST, writeManifest } from '../backup/backup-manifest.js';
import { copyFile, syncDirectory } from '../backup/copy-file.js';
import { readConfig, type LauncherConfig } from '../config.js';
import { clusterFiles } from '../embedded-postgres/cluster-files.js';
import { readSecretKeys } from '../files/secret-keys.js';
import { writePrivateFileSync } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';
import { RELEASE } from '@libs/domain/starts';
import { say } from './print.js';
import { runningDatabaseUrl, explainRefusals, withSession } from './with-session.js';

interface BackupOptions {
  withKeys?: boolean;
  /** A place for several backups. */
  to?: string;
  /** How many stay in the place. */
  keep?: string;
}

/**
 * `landlord backup <directory>`: makes a consistent copy of the running embedded database without a stop. `--to`: a new folder in a place,
 * and `--keep` removes the oldest ones there after it. Throws LauncherError for an external database, with PostgreSQL's own procedure for it.
 */
export async function backup(directory: string | undefined, { withKeys, to, keep }: BackupOptions): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl !== null) throw new LauncherError(EXTERNAL);
  if ((directory === undefined) === (to === undefined))
    throw new LauncherError('Name either a new directory, or with --to a place for several backups.');
  if (keep !== undefined && (to === undefined || !/^[1-9]\d{0,3}$/.test(keep)))
    throw new LauncherError('--keep needs --to, and is a number from 1 to 9999.');
  if (to === undefined) return void (await copyTo(config, resolve(directory ?? ''), withKeys));
  const installation = await copyToPlace(config, BackupPlace.open(to), withKeys);
  if (keep === undefined) return;
  const removed = await BackupPlace.open(to).removeOld(installation, Number(keep));
  if (removed.length > 0) say(`Removed from ${to}: ${removed.join(', ')}.`);
}

/** Returns the name of the installation. */
async function copyToPlace(config: LauncherConfig, place: BackupPlace, withKeys?: boolean): Promise<string> {
  const name = backupName(new Date());
  if (place.directory !== null) return copyTo(config, join(place.directory, name), withKeys);
  if (withKeys)
    throw new LauncherError('A bucket gets no secret keys. Keep them in another place, and leave out --with-keys.');
  return inTemporaryFolder(async (folder) => {
    const source = join(folder, name);
    const installation = await copyTo(config, source, withKeys);
    await place.send(source, name);
    say(`${name} is complete in ${place.address}.`);
    return installation;
  });
}

async function copyTo(config: LauncherConfig, target: string, withKeys?: boolean): Promise<string> {
  const url = runningDatabaseUrl(config);
  // Reads the keys first, because a backup without the requested keys is useless.
  const keys = withKeys ? readSecretKeys(config) : null;
  const started_at = new Date().toISOString();
  const facts = await withSession((session) => new BackupRecord(session).facts());
  makeEmpty(target);
  const { bytes, count } = await explainRefusals(() => fill(target, { config, url, facts, keys, started_at })).catch(
    (error) => {
      // Removes an incomplete backup, so that it is not mistaken for a complete one.
      for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
      throw error;
    },
  );
  await withSession((session) => new BackupRecord(session).record(target, { bytes, with_keys: keys !== null }));
  say(
    `${target} contains the backup of installation ${facts.installation}: ${count} files, ${Math.ceil(bytes / 1e6)} MB.`,
  );
  say(
    keys === null
      ? WITHOUT_KEYS
      : 'The backup contains the secret keys. A person who reads the backup can read every secret. Keep the backup safe.',
  );
  return facts.installation;
}

interface Wanted {
  config: LauncherConfig;
  url: string;
  facts: BackupFacts;
  keys: string | null;
  started_at: string;
}

async function fill(
  target: string,
  { config, url, facts, keys, started_at }: Wanted,
): Promise<{ bytes: number; count: number }> {
  const cluster = clusterFiles(config.dataDir);
  const { startLsn, stopLsn, ...tree } = await takeBaseBackup(url, cluster, join(target, 'data'));
  const password = await copyFile(cluster.password, join(target, 'password'));
  if (keys !== null) writePrivateFileSync(join(target, 'secret-keys'), `${keys}\n`);
  await syncDirectory(target);
  const inData = Object.entries(tree.files).map(([path, file]) => [`data/${path}`, file] as const);
  writeManifest(target, {
    format: 1,
    release: RELEASE,
    ...facts,
    started_at,
    finished_at: new Date().toISOString(),
    start_lsn: startLsn,
    stop_lsn: stopLsn,
    with_keys: keys !== null,
    directories: ['data', ...tree.directories.map((path) => `data/${path}`)],
    files: { ...Object.fromEntries(inData), password },
  });
  return { bytes: inData.reduce((sum, [, file]) => sum + file.bytes, 0), count: inData.length };
}

function makeEmpty(target: string): void {
  if (existsSync(join(target, MANIFEST)))
    throw new LauncherError(`${target} already contains a backup. Choose another directory.`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  if (readdirSync(target).length > 0)
    throw new LauncherError(`${target} is not empty. Choose a new or empty directory.`);
}

const WITHOUT_KEYS = `The backup does NOT contain the secret keys. Without the keys the passwords and tokens in the backup stay encrypted.
Keep a copy of the file secret-keys in another place, or create a backup with --with-keys.`;

const EXTERNAL = `DATABASE_URL names your own PostgreSQL. Create the backup with the tools of PostgreSQL, for example:
  pg_dump --format=custom --file=landlord.dump "$DATABASE_URL"
Keep the secret keys with the dump. To restore, run pg_restore, then landlord restore --external (docs/operating.md).`;
