import { readConfig } from '../config.js';
import { ensureDatabase, stopDatabase } from '../embedded-postgres/ensure-database.js';
import { FileLock } from '../files/file-lock.js';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { migrateSchema } from '../start/prepare-schema.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord migrate`: brings the schema of the database up to this release. An embedded database that did not run before
 * does not run afterwards.
 */
export async function migrate(): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl !== null) await migrateSchema(config.databaseUrl);
  else await migrateEmbedded(config.dataDir);
  openTerminal().say('The database is up to date.');
}

async function migrateEmbedded(dataDir: string): Promise<void> {
  // Keeps a `start` from beginning on a database that we are about to stop; a running one goes on with its own.
  const lock = tryLauncherLock(dataDir);
  try {
    const database = await ensureDatabase({ dataDir });
    await migrateSchema(database.url).finally(async () => {
      if (!database.reused && lock instanceof FileLock) await stopDatabase({ dataDir });
    });
  } finally {
    if (lock instanceof FileLock) lock.release();
  }
}
