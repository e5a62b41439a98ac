import { BackupRecord } from '@libs/operator';
import { readManifest, type BackupManifest } from '../backup/backup-manifest.js';
import { withBackup } from '../backup/backup-place.js';
import { ClusterSwap } from '../backup/cluster-swap.js';
import { inTemporaryFolder } from '../backup/temporary-folder.js';
import { readConfig, type LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { migrateSchema } from '../start/prepare-schema.js';
import { say } from './print.js';
import { keysFor, missingKeys, requireSchema } from './restore.js';
import { explainRefusals, withSession } from './with-session.js';

/**
 * `landlord backup verify <backup>`: restores the backup into a PostgreSQL of its own, reads every row, and removes everything. The running
 * installation is not used. Throws LauncherError for a backup that `landlord restore` would refuse, or whose secrets could not be opened.
 */
export const verifyBackup = (address: string): Promise<void> => withBackup(address, verifyDirectory);

async function verifyDirectory(source: string): Promise<void> {
  const begin = performance.now();
  const config = readConfig();
  const manifest = readManifest(source);
  requireSchema(manifest);
  const { tables, rows, lost } = await inTemporaryFolder((folder) => restoreAndRead(config, source, manifest, folder));
  if (lost.length > 0)
    throw new LauncherError(
      `The backup has secrets with missing keys: ${lost.join(', ')}. A restore needs the secret keys that were in use at the backup.`,
    );
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  say(
    `The backup of ${manifest.finished_at} is good: ${rows} rows in ${tables} tables, ${Math.ceil(bytes / 1e6)} MB, restored and read in ${seconds} s.`,
  );
}

interface Contents {
  tables: number;
  rows: number;
  /** Ids of missing secret keys. */
  lost: string[];
}

async function restoreAndRead(
  config: LauncherConfig,
  source: string,
  manifest: BackupManifest,
  folder: string,
): Promise<Contents> {
  const swap = await ClusterSwap.begin(folder, manifest.installation);
  try {
    const secretKeys = keysFor(config, source);
    const url = await explainRefusals(() => swap.startCopy(source, manifest));
    await migrateSchema(url);
    return await withSession(
      async (session) => {
        const record = new BackupRecord(session);
        const { installation, timeline } = await record.facts();
        if (installation !== manifest.installation || timeline !== manifest.timeline)
          throw new LauncherError(
            `The backup contains installation ${installation} on timeline ${timeline}, and its manifest names ${manifest.installation} on ${manifest.timeline}.`,
          );
        return { ...(await record.readAll()), lost: await missingKeys(session) };
      },
      { ...config, secretKeys },
      url,
    );
  } finally {
    await swap.end();
  }
}
