import type pg from 'pg';
import { rightsRefusal } from '../start/connect-at-start.js';

const NO_RIGHT = '42501';

/**
 * Makes the owner of the tables a member of an app role, which it must be to set what this role gives to the other. PostgreSQL 15
 * makes nobody a member of a new role, and later versions give its creator only the right to join. Returns false for an owner that may
 * not create roles: then the app roles are of another installation of this server, and the apps of this one do not use them.
 * @throws StartRefused when the role may not be joined
 */
export async function joinRole(client: pg.Client, role: string): Promise<boolean> {
  const { rows } = await client.query<{ is_member: boolean; makes_roles: boolean }>(
    `select pg_has_role($1, 'usage') as is_member, rolcreaterole as makes_roles from pg_roles where rolname = current_user`,
    [role],
  );
  const [row] = rows;
  if (row?.is_member) return true;
  if (!row?.makes_roles) return false;
  try {
    await client.query(`grant ${role} to current_user`);
    return true;
  } catch (error) {
    throw (error as { code?: string }).code === NO_RIGHT ? await notOurRole(client, role, error) : error;
  }
}

/** The refusal for a role that somebody else has created. Says the statement that lets Landlord use it. */
export async function notOurRole(client: pg.Client, role: string, cause: unknown): Promise<Error> {
  const { rows } = await client.query<{ me: string; database: string }>(
    'select current_user as me, current_database() as database',
  );
  const { me, database } = rows[0] ?? { me: '', database: '' };
  const names = { role: me, database, server: `${client.host}:${client.port}` };
  const grant = `GRANT ${role} TO ${client.escapeIdentifier(me)} WITH ADMIN OPTION;`;
  return rightsRefusal(names, [`ADMIN on the role ${role}`], [`Run as a superuser: ${grant}`], { cause });
}
