import pg from 'pg';
import { DataSource } from 'typeorm';
import { OWNERSHIP, privileges, type OwnedTable, type WritingApp } from '../ownership.js';
import { Platform1763683200001 } from './1763683200001-platform.js';
import { Organization1763683200002 } from './1763683200002-organization.js';
import { ResourceTree1763683200003 } from './1763683200003-resource-tree.js';
import { Runtime1763683200004 } from './1763683200004-runtime.js';
import { Operations1763683200005 } from './1763683200005-operations.js';
import { Ledger1763683200006 } from './1763683200006-ledger.js';

/** Oldest first. A released migration is never changed. */
export const MIGRATIONS = [
  Platform1763683200001,
  Organization1763683200002,
  ResourceTree1763683200003,
  Runtime1763683200004,
  Operations1763683200005,
  Ledger1763683200006,
];

/** The role of each app; PostgreSQL roles are shared by all databases of a server, so the names are fixed. */
export const APP_ROLES: Record<WritingApp, string> = {
  main_api: 'landlord_main_api',
  supervisor: 'landlord_supervisor',
};

const MIGRATION_LOCK = `hashtextextended('landlord.migrate', 0)`;

/**
 * Brings the schema to this release: our migrations, the partitions ahead, the rights of the app roles, and what
 * `also` adds (the queue's own schema). Under an advisory lock, so that two launchers may call it at once; safe to repeat.
 */
export async function migrate(databaseUrl: string, also?: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await runMigrations(databaseUrl);
    await client.query('select ensure_partitions()');
    await also?.(client);
    await grantPrivileges(client);
  } finally {
    await client.end();
  }
}

async function runMigrations(databaseUrl: string): Promise<void> {
  const dataSource = new DataSource({ type: 'postgres', url: databaseUrl, migrations: MIGRATIONS });
  await dataSource.initialize();
  try {
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    await dataSource.destroy();
  }
}

async function grantPrivileges(client: pg.Client): Promise<void> {
  for (const app of Object.keys(APP_ROLES) as WritingApp[]) {
    const role = APP_ROLES[app];
    if (!(await hasRole(client, role))) continue;
    for (const table of Object.keys(OWNERSHIP) as OwnedTable[]) {
      await client.query(`revoke all on ${table} from ${role}`);
      await client.query(`grant ${privileges(table, app).join(', ')} on ${table} to ${role}`);
    }
    await client.query(`grant execute on function ensure_partitions() to ${role}`);
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
