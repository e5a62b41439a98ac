import {
  BootstrapKeyInvalid,
  migrate,
  migrationRefusal,
  seedInstallation,
  type Installation,
} from '@libs/persistence/migrations';
import { migrateQueue } from '@libs/queue/setup';
import { LauncherError } from '../launcher-error.js';

/** Migrates Landlord's schema and the queue's schema to this release. Idempotent. Two launchers may run it at once. @throws StartRefused */
export async function migrateSchema(databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl, migrateQueue);
  } catch (error) {
    throw migrationRefusal(databaseUrl, error) ?? error;
  }
}

/** Migrates, and on an empty database creates the first tenant and the database roles of the apps. Idempotent. @throws LauncherError */
export async function prepareSchema(
  databaseUrl: string,
  options: Parameters<typeof seedInstallation>[1],
): Promise<Installation> {
  try {
    await migrateSchema(databaseUrl);
    return await seedInstallation(databaseUrl, options);
  } catch (error) {
    if (error instanceof BootstrapKeyInvalid) throw new LauncherError(error.message, { cause: error });
    throw migrationRefusal(databaseUrl, error) ?? error;
  }
}
