import type pg from 'pg';
import { OWNERSHIP, privileges, type OwnedTable, type WritingApp } from '../ownership.js';
import { joinRole } from './join-role.js';

/** The role of each app; PostgreSQL roles are shared by all databases of a server, so the names are fixed. */
export const APP_ROLES: Record<WritingApp, string> = {
  main_api: 'landlord_main_api',
  supervisor: 'landlord_supervisor',
};

/**
 * Ids that an app has to know before it inserts. Those of keys and sessions are part of their secrets. With those of a deployment
 * and its nodes, one packet inserts all rows of a creation.
 */
const SEQUENCES: Record<WritingApp, readonly string[]> = {
  main_api: ['api_keys_id_seq', 'sessions_id_seq', 'deployments_id_seq', 'nodes_id_seq'],
  supervisor: [],
};

/** What an app has done by the owner of the tables, beside the partitions ahead. */
const FUNCTIONS: Record<WritingApp, readonly string[]> = {
  main_api: [
    'drop_expired_partitions()',
    'ensure_notification_partitions()',
    'drop_expired_notifications()',
    'apply_upgrade(bigint)',
  ],
  supervisor: ['ensure_telemetry_partitions()', 'drop_expired_telemetry()', 'apply_upgrade(bigint)'],
};

/**
 * Gives each app role that exists the rights of the ownership list, and no others. Idempotent. On a schema that is ahead of
 * `release`, the names of this release's migrations, the rights are a newer release's: an older launcher that starts beside
 * the newer apps must not take theirs away, so only a role that has none yet is given any.
 */
export async function grantPrivileges(client: pg.Client, release: readonly string[]): Promise<void> {
  const isAhead = await hasOtherMigrations(client, release);
  for (const app of Object.keys(APP_ROLES) as WritingApp[]) {
    const role = APP_ROLES[app];
    if (!(await hasRole(client, role)) || (isAhead && (await hasRights(client, role)))) continue;
    for (const table of Object.keys(OWNERSHIP) as OwnedTable[]) {
      await client.query(`revoke all on ${table} from ${role}`);
      await client.query(`grant ${privileges(table, app).join(', ')} on ${table} to ${role}`);
    }
    for (const sequence of SEQUENCES[app]) await client.query(`grant usage on sequence ${sequence} to ${role}`);
    await client.query(`grant execute on function ensure_partitions() to ${role}`);
    for (const name of FUNCTIONS[app]) await client.query(`grant execute on function ${name} to ${role}`);
    await grantQueue(client, role);
  }
}

/** The queue's tables belong to the queue: both apps use all of them, and it makes a sequence for each new queue. */
async function grantQueue(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query(`select 1 from pg_namespace where nspname = 'bullmq'`);
  if (!rowCount) return;
  await client.query(`grant usage, create on schema bullmq to ${role}`);
  for (const kind of ['tables', 'sequences', 'functions'])
    await client.query(`grant all on all ${kind} in schema bullmq to ${role}`);
  if (!(await joinRole(client, role))) return;
  const others = Object.values(APP_ROLES).filter((other) => other !== role);
  for (const other of others)
    if (await hasRole(client, other))
      await client.query(
        `alter default privileges for role ${role} in schema bullmq grant all on sequences to ${other}`,
      );
}

async function hasRole(client: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  return rowCount === 1;
}

async function hasOtherMigrations(client: pg.Client, release: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from migrations where name <> all($1) limit 1', [release]);
  return rowCount === 1;
}

/** Every release lets both apps read what the installation is called. */
async function hasRights(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select has_table_privilege($1, 'installation', 'select') as has`,
    [role],
  );
  return rows[0]?.has ?? false;
}
