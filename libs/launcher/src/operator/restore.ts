import { join } from 'node:path';
import { RELEASE_SCHEMA, Rekeying, Restoration, type OperatorSession, type Restored } from '@libs/operator';
import { checkDatabaseOfOwner } from '@libs/persistence/migrations';
import { readManifest, type BackupManifest } from '../backup/backup-manifest.js';
import { withBackup } from '../backup/backup-place.js';
import { ClusterSwap } from '../backup/cluster-swap.js';
import { mergeKeys } from '../backup/merge-keys.js';
import { readConfig, type LauncherConfig } from '../config.js';
import { readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';
import { readSecretKeys, secretKeysPath } from '../files/secret-keys.js';
import { LauncherError } from '../launcher-error.js';
import { migrateSchema } from '../start/prepare-schema.js';
import { say } from './print.js';
import { runningDatabaseUrl, explainRefusals, withSession } from './with-session.js';

/**
 * `landlord restore <directory>`: replaces the embedded database with a backup, and keeps the previous one next to it.
 * `--external`: performs only the steps after a pg_restore. On a failure changes nothing and throws LauncherError.
 */
export async function restore(directory: string | undefined, { external }: { external?: boolean }): Promise<void> {
  const config = readConfig();
  if (external) return completeExternal(config);
  if (directory === undefined) throw new LauncherError('Name the backup: landlord restore <directory or s3://…>');
  if (config.databaseUrl !== null) throw new LauncherError(EXTERNAL);
  await withBackup(directory, (source) => restoreDirectory(config, source, directory));
}

async function restoreDirectory(config: LauncherConfig, source: string, address: string): Promise<void> {
  const manifest = readManifest(source);
  requireSchema(manifest);
  const swap = await ClusterSwap.begin(config.dataDir, manifest.installation);
  try {
    const keys = keysFor(config, source);
    say(`Copying the backup of ${manifest.finished_at} and checking it against its manifest.`);
    const url = await explainRefusals(() => swap.startCopy(source, manifest));
    await migrateSchema(url);
    const restored = await complete(config, { url, keys }, `the backup of ${manifest.finished_at} in ${address}`);
    // Before the swap: an additional key is harmless, but without a missing key the restored secrets cannot be opened.
    if (config.secretKeys === null && readFileIfAnySync(secretKeysPath(config)) !== keys)
      writePrivateFileSync(secretKeysPath(config), `${keys}\n`);
    const before = await swap.finish();
    say(restored);
    if (before !== null) say(`The previous database is in ${before}.`);
    say('Start Landlord again (npm start) and check the resources. Then run: landlord ops resume-destruction');
  } finally {
    await swap.end();
  }
}

/** Throws LauncherError for a backup of a newer release. */
export function requireSchema({ schema, release }: BackupManifest): void {
  if (!RELEASE_SCHEMA.includes(schema))
    throw new LauncherError(
      `The backup was created by the newer release ${release}. Restore the backup with that release.`,
    );
}

async function completeExternal(config: LauncherConfig): Promise<void> {
  if (config.databaseUrl === null)
    throw new LauncherError(
      '--external is only for your own PostgreSQL. Set DATABASE_URL, or name a backup directory.',
    );
  const url = runningDatabaseUrl(config);
  // A dump over the tables of a newer release leaves a database that only looks restored.
  await checkDatabaseOfOwner(url);
  await withSession((session) => new Restoration(session).requireQuiet());
  say(await complete(config, { url, keys: readSecretKeys(config) }, 'a dump, by pg_restore'));
  say('Start the apps again and check the resources. Then run: landlord ops resume-destruction');
}

/** Completes the restore in one transaction. Returns the text for the operator. */
async function complete(
  config: LauncherConfig,
  { url, keys }: { url: string; keys: string },
  origin: string,
): Promise<string> {
  const work = async (session: OperatorSession): Promise<string> => {
    const restored = await new Restoration(session).complete(origin);
    return wordsFor(restored, await missingKeys(session));
  };
  return withSession(work, { ...config, secretKeys: keys }, url);
}

function wordsFor({ installation, timeline, documents }: Restored, lost: string[]): string {
  const words = `Installation ${installation} is restored on timeline ${timeline}. Agents apply their ${documents} documents again.\nLandlord destroys no resources until you run: landlord ops resume-destruction`;
  if (lost.length === 0) return words;
  return `${words}\nThe backup has secrets with missing keys: ${lost.join(', ')}. Add these keys to the secret keys before you start Landlord.`;
}

/** The ids of the keys that the secrets in the database need, and the session lacks. */
export async function missingKeys(session: OperatorSession): Promise<string[]> {
  const uses = await new Rekeying(session).keysInUse();
  return [...uses.keys()].filter((id) => !session.secrets.keyIds.includes(id));
}

/** The keys of this installation, and the missing keys of the backup. */
export function keysFor(config: LauncherConfig, source: string): string {
  const restored = readFileIfAnySync(join(source, 'secret-keys'));
  const currentKeys = config.secretKeys ?? readFileIfAnySync(secretKeysPath(config));
  if (currentKeys === null && restored !== null) return restored;
  if (currentKeys === null) return readSecretKeys(config);
  const merged = restored === null ? currentKeys : mergeKeys(currentKeys, restored);
  if (config.secretKeys === null || merged === currentKeys) return merged;
  throw new LauncherError(
    `LANDLORD_SECRET_KEYS lacks keys of the backup. Add the keys from ${join(source, 'secret-keys')}.`,
  );
}

const EXTERNAL = `DATABASE_URL names your own PostgreSQL. Stop every process of Landlord, and restore the dump into an empty database:
  createdb --owner <role of Landlord> landlord_restored
  pg_restore --no-owner --exit-on-error --dbname <URL of landlord_restored> landlord.dump
Set DATABASE_URL to the new database. Then run: landlord migrate, and landlord restore --external (docs/operating.md).`;
