import { join } from 'node:path';
import { requireDataDirectory, StartRefused } from '@libs/domain/starts';
import { checkDatabaseOfOwner } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';
import { ensureDatabase, requireOwnDatabase } from '../embedded-postgres/ensure-database.js';
import { ownNote, type LauncherNote, type RunningLauncher } from '../files/launcher-lock.js';
import { APP_NAMES, appEntry } from './app-entries.js';
import { checkBrokerPrograms } from './check-broker-programs.js';
import { checkListeners } from './check-listeners.js';
import { checkKeys } from './require-keys.js';

/**
 * Checks what the start of this release needs, as far as this is possible while another launcher runs. Changes nothing, so a
 * refusal leaves the running Landlord as it is. @throws StartRefused
 */
export async function checkUpgrade(
  config: LauncherConfig,
  { pid, note }: RunningLauncher & { note: LauncherNote },
): Promise<void> {
  const { database } = ownNote(config);
  if (database !== note.database) {
    const facts = { release: note.release, pid: String(pid), used: note.database, own: database };
    throw StartRefused.because('upgrade_of_other_database', facts);
  }
  for (const name of APP_NAMES) appEntry(name);
  requireDataDirectory(join(config.dataDir, 'logs'));
  await checkListeners(config, note.ports);
  await checkBrokerPrograms(config);
  await checkDatabase(config);
}

async function checkDatabase(config: LauncherConfig): Promise<void> {
  if (config.databaseUrl === null) requireOwnDatabase(config.dataDir);
  const url = config.databaseUrl ?? (await ensureDatabase({ dataDir: config.dataDir })).url;
  const { hasInstallation } = await checkDatabaseOfOwner(url);
  // The start reports the warnings.
  if (hasInstallation) await checkKeys(config, url, () => undefined);
}
