import { migrate, seedInstallation, type Installation } from '@libs/persistence/migrations';
import { migrateQueue } from '@libs/queue';

/** Brings our schema and the queue's to this release. Idempotent; two launchers may do it at once. */
export async function migrateSchema(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, migrateQueue);
}

/** Migrates, and on an empty database makes the first tenant and the roles of the apps. Idempotent. */
export async function prepareSchema(
  databaseUrl: string,
  options: Parameters<typeof seedInstallation>[1],
): Promise<Installation> {
  await migrateSchema(databaseUrl);
  return seedInstallation(databaseUrl, options);
}
