import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@libs/persistence/migrations';

const run = promisify(execFile);

/**
 * Brings a test database to this release's schema, or to that of the checkout that LANDLORD_TEST_SCHEMA names. That one is
 * asked by a script of its own: its path is all that two releases agree on, neither knows what the other looks like inside.
 */
export async function migrateTestSchema(databaseUrl: string): Promise<void> {
  const other = otherCheckout();
  if (other === null) {
    // Once in a run, whereas every suite loads this file: BullMQ is a tenth of a second.
    const { migrateQueue } = await import('@libs/queue');
    return migrate(databaseUrl, migrateQueue);
  }
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  await run(process.execPath, [join(other, 'test/compat/migrate-schema.mjs')], { env });
}

/**
 * What an upgrade does beneath apps that run on: the newer release's migration gives their roles its own rights, whatever
 * this release has just given them. Without LANDLORD_TEST_SCHEMA it does nothing.
 */
export async function upgradeTestSchema(databaseUrl: string): Promise<void> {
  if (otherCheckout() !== null) await migrateTestSchema(databaseUrl);
}

/** Whose schema the tests of this checkout run on; null for its own. */
export function otherCheckout(): string | null {
  return process.env['LANDLORD_TEST_SCHEMA'] || null;
}
