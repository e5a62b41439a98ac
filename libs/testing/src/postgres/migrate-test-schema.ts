import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@libs/persistence/migrations';

const run = promisify(execFile);

/**
 * Migrates a test database to the schema of this release, or of the checkout in LANDLORD_TEST_SCHEMA. That checkout has a
 * script for it. Its path is the only agreement between the releases, because their internals differ.
 */
export async function migrateTestSchema(databaseUrl: string): Promise<void> {
  const other = otherCheckout();
  if (other === null) {
    // Loaded here, because this runs once per run, and every suite loads this file. BullMQ takes a tenth of a second.
    const { migrateQueue } = await import('@libs/queue');
    return migrate(databaseUrl, migrateQueue);
  }
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  await run(process.execPath, [join(other, 'test/compat/migrate-schema.mjs')], { env });
}

/**
 * Simulates an upgrade under running apps: the migration of the newer release grants its own rights to their roles, after this
 * release has granted its rights. Does nothing without LANDLORD_TEST_SCHEMA.
 */
export async function upgradeTestSchema(databaseUrl: string): Promise<void> {
  if (otherCheckout() !== null) await migrateTestSchema(databaseUrl);
}

/** The checkout whose schema the tests use. Null for this checkout. */
export function otherCheckout(): string | null {
  return process.env['LANDLORD_TEST_SCHEMA'] || null;
}
