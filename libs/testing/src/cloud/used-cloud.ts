import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OWNERSHIP } from '@libs/persistence';
import { seedInstallation, type Installation } from '@libs/persistence/migrations';
import pg from 'pg';

/** What the running apps have said about themselves, and what migrations wrote. */
const KEPT: readonly string[] = [
  ...['migrations', 'schema_requirements', 'cells', 'cell_processes', 'telemetry_rollup', 'schedules'],
];
/** A pass of an app over the rows that go. */
const DEADLOCK = '40P01';

/** Whether workers of a cloud still have something to do: the next suite would see it happen. */
export async function isAtWork(sql: pg.Pool): Promise<boolean> {
  const { rows } = await sql.query<{ busy: boolean }>(
    `select exists (select from nodes)
         or exists (select from operations where status in ('pending', 'running'))
         or exists (select from mails where status = 'waiting') as busy`,
  );
  return rows[0]?.busy !== false;
}

/**
 * Makes a cloud whose apps run as good as new: no row and no file of the suite before is left, and a first tenant is
 * founded. Identities go on where they were, so that nothing the apps remember by an id can mean something else now.
 */
export async function renew(databaseUrl: string, directory: string, installation: Installation, roleKey: Buffer) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await forget(client);
    const seeded = await seedInstallation(databaseUrl, { roleKey });
    // The supervisor has read it at its start, and marks its nodes with it.
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
    // Without the triggers that make a ledger of some tables; in an order that needs no care for who refers to whom.
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

/** The folders stay, for the apps have made them once, and so do the logs. */
function forgetFiles(directory: string): void {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders)
    for (const inside of readdirSync(join(directory, name)))
      rmSync(join(directory, name, inside), { recursive: true, force: true });
}
