import { createHmac } from 'node:crypto';
import pg from 'pg';
import type { WritingApp } from '../ownership.js';
import { APP_ROLES, grantPrivileges } from './grants.js';
import { joinRole, notOurRole } from './join-role.js';
import { RELEASE_MIGRATIONS } from './migrate.js';

/**
 * Makes the two app roles where the server lets us (the embedded one always does) and answers the address of each.
 * Where it does not, both apps use `databaseUrl` itself: ownership is then kept by the tests alone.
 */
export async function ensureAppRoles(databaseUrl: string, roleKey: Buffer): Promise<Record<WritingApp, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ allowed: boolean }>(
      'select rolsuper or rolcreaterole as allowed from pg_roles where rolname = current_user',
    );
    if (!rows[0]?.allowed) return { main_api: databaseUrl, supervisor: databaseUrl };
    const urls = {
      main_api: await ensureRole(client, databaseUrl, 'main_api', roleKey),
      supervisor: await ensureRole(client, databaseUrl, 'supervisor', roleKey),
    };
    await grantPrivileges(client, RELEASE_MIGRATIONS);
    return urls;
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, databaseUrl: string, app: WritingApp, roleKey: Buffer): Promise<string> {
  const role = APP_ROLES[app];
  const password = createHmac('sha256', roleKey).update(role).digest('base64url');
  await giveLogin(client, role, password);
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.toString();
}

// Roles belong to the whole server: launchers of two databases may make or change the same one at the same moment.
const LOST_RACES = ['XX000', '23505', '42710'];
const NO_RIGHT = '42501';

async function giveLogin(client: pg.Client, role: string, password: string, attempts = 5): Promise<void> {
  try {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    await client.query(
      `${rowCount ? 'alter' : 'create'} role ${role} login password ${client.escapeLiteral(password)}`,
    );
    await joinRole(client, role);
  } catch (error) {
    if ((error as { code?: string }).code === NO_RIGHT) throw await notOurRole(client, role, error);
    if (attempts === 0 || !LOST_RACES.includes((error as { code?: string }).code ?? '')) throw error;
    await giveLogin(client, role, password, attempts - 1);
  }
}
