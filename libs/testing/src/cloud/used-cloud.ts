import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OWNERSHIP } from '@libs/persistence';
import type { Installation } from '@libs/persistence/migrations';
import pg from 'pg';
import { seedTestInstallation } from '../postgres/seed-test-installation.js';

/** Rows that the running apps and the migrations wrote. */
const KEPT: readonly string[] = [
  ...['migrations', 'schema_requirements', 'cells', 'cell_processes', 'telemetry_rollup', 'schedules'],
];
/** Folders of programs, which the apps have found at their start. */
const PROGRAMS = 'packages';
/** A concurrent job of an app locks the rows that are being deleted. */
const DEADLOCK = '40P01';

/** Whether workers of a cloud still have work, which the next suite would see. */
export async function isAtWork(sql: pg.Pool): Promise<boolean> {
  const { rows } = await sql.query<{ busy: boolean }>(
    `select exists (select from nodes)
         or exists (select from operations where status in ('pending', 'running'))
         or exists (select from mails where status = 'waiting') as busy`,
  );
  return rows[0]?.busy !== false;
}

/**
 * Resets a cloud with running apps: deletes all rows and files of the earlier suite, and creates a first tenant. Ids continue,
 * so that ids in the memory of the apps never refer to new rows.
 */
export async function renew(databaseUrl: string, directory: string, installation: Installation) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await forget(client);
    const seeded = await seedTestInstallation(databaseUrl);
    // The Supervisor has read the name at its start, and marks its nodes with it.
    await client.query('update installation set name = $1', [installation.installation]);
    forgetFiles(directory);
    return { ...seeded, installation: installation.installation };
  } finally {
    await client.end();
  }
}

async function forget(client: pg.Client, attempts = 5): Promise<void> {
  const gone = Object.keys(OWNERSHIP).filter((table) => !KEPT.includes(table));
  try {
    // Disables the triggers of append-only tables and the foreign keys, so that the order does not matter.
    await client.query(
      [
        'begin',
        'set local session_replication_role = replica',
        ...gone.map((table) => `delete from ${table}`),
        'commit',
      ].join(';'),
    );
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code !== DEADLOCK || attempts === 0) throw error;
    await forget(client, attempts - 1);
  }
}

/** Keeps the folders, because the apps create them only once, and the logs. */
function forgetFiles(directory: string): void {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders.filter((folder) => folder.name !== PROGRAMS))
    for (const inside of readdirSync(join(directory, name)))
      rmSync(join(directory, name, inside), { recursive: true, force: true });
}
