import { migrate, seedInstallation, type Installation } from '@libs/persistence/migrations';
import { migrateQueue } from '@libs/queue';

/** Migrates Landlord's schema and the queue's schema to this release. Idempotent. Two launchers may run it at once. */
export async function migrateSchema(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, migrateQueue);
}

/** Migrates, and on an empty database creates the first tenant and the database roles of the apps. Idempotent. */
export async function prepareSchema(
  databaseUrl: string,
  options: Parameters<typeof seedInstallation>[1],
): Promise<Installation> {
  await migrateSchema(databaseUrl);
  return seedInstallation(databaseUrl, options);
}
