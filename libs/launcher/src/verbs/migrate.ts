import { requireDataDirectory } from '@libs/domain/starts';
import { checkDatabaseOfOwner } from '@libs/persistence/migrations';
import { readConfig, type LauncherConfig } from '../config.js';
import { ensureDatabase, stopDatabase } from '../embedded-postgres/ensure-database.js';
import { bootstrapPath, ensureBootstrapFile } from '../files/bootstrap-file.js';
import { FileLock } from '@libs/host/os';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { migrateSchema, prepareSchema } from '../start/prepare-schema.js';
import { explained } from '../start/explained.js';
import { requireKeys } from '../start/require-keys.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord migrate`: migrates the schema of the database to this release. Stops an embedded database again if it did not run
 * before; `start` will create its first tenant. For an external database this creates the first tenant too. Where apps are not
 * started by the launcher, no other command would.
 */
export async function migrate(): Promise<void> {
  const config = readConfig();
  try {
    await migrateTo(config);
  } catch (error) {
    throw explained(config, error);
  }
}

async function migrateTo(config: LauncherConfig): Promise<void> {
  const terminal = openTerminal();
  if (config.databaseUrl === null) await migrateEmbedded(config.dataDir);
  else if (await prepareExternal(config, config.databaseUrl, (text) => terminal.complain(text)))
    terminal.say(`Landlord has created a tenant, its owner and an API key. See ${bootstrapPath(config.dataDir)}.`);
  terminal.say('The database is up to date.');
}

/** Returns true at the first boot. */
async function prepareExternal(
  config: LauncherConfig,
  databaseUrl: string,
  warn: (text: string) => void,
): Promise<boolean> {
  requireDataDirectory(config.dataDir);
  const { hasInstallation, warnings } = await checkDatabaseOfOwner(databaseUrl);
  warnings.forEach(warn);
  const keys = await requireKeys(config, { url: databaseUrl, hasInstallation }, warn);
  try {
    const { roleKey } = keys;
    const options =
      config.bootstrapApiKey === null ? { roleKey } : { roleKey, bootstrapApiKey: config.bootstrapApiKey };
    const installation = await prepareSchema(databaseUrl, options);
    ensureBootstrapFile(config, installation);
    return installation.first_boot;
  } finally {
    keys.forget();
  }
}

async function migrateEmbedded(dataDir: string): Promise<void> {
  // Prevents a `start` on a database that this command is about to stop. A running Landlord continues with its own lock.
  const lock = tryLauncherLock(dataDir);
  try {
    const database = await ensureDatabase({ dataDir });
    const work = async (): Promise<void> => {
      await checkDatabaseOfOwner(database.url);
      await migrateSchema(database.url);
    };
    await work().finally(async () => {
      if (!database.reused && lock instanceof FileLock) await stopDatabase({ dataDir });
    });
  } finally {
    if (lock instanceof FileLock) lock.release();
  }
}
