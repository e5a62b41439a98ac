import { readConfig, type LauncherConfig } from '../config.js';
import { ensureDatabase, stopDatabase } from '../embedded-postgres/ensure-database.js';
import { bootstrapPath, ensureBootstrapFile } from '../files/bootstrap-file.js';
import { FileLock } from '../files/file-lock.js';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { ensurePrivateDirectory } from '../files/private-file.js';
import { ensureSecretKeys } from '../files/secret-keys.js';
import { migrateSchema, prepareSchema } from '../start/prepare-schema.js';
import { openTerminal } from '../start/terminal.js';

/**
 * `landlord migrate`: brings the schema of the database up to this release. An embedded database that did not run before
 * does not run afterwards; `start` will make its first tenant. An external one gets it here, once: where apps are started
 * by something else than the launcher, nobody else would.
 */
export async function migrate(): Promise<void> {
  const config = readConfig();
  const terminal = openTerminal();
  if (config.databaseUrl === null) await migrateEmbedded(config.dataDir);
  else if (await prepareExternal(config, config.databaseUrl))
    terminal.say(`A tenant, its owner and an API key were made; they are in ${bootstrapPath(config.dataDir)}.`);
  terminal.say('The database is up to date.');
}

/** True on the first boot. */
async function prepareExternal(config: LauncherConfig, databaseUrl: string): Promise<boolean> {
  ensurePrivateDirectory(config.dataDir);
  const keys = ensureSecretKeys(config);
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
