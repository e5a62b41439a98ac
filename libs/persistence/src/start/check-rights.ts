import pg from 'pg';
import { OWNERSHIP, privileges, type OwnedTable, type WritingApp } from '../ownership.js';
import { rightsRefusal, type DatabaseNames } from './connect-at-start.js';

interface OwnerRights {
  schema: boolean;
  schema_name: string | null;
  queue: boolean;
  foreign_owner: string | null;
}

/** Checks that the role can create and change the schema of Landlord and of the queue. @throws StartRefused */
export async function checkOwnerRights(client: pg.Client, names: DatabaseNames): Promise<void> {
  const { rows } = await client.query<OwnerRights>(
    `select coalesce(has_schema_privilege(current_schema(), 'create'), false) as schema, current_schema() as schema_name,
            has_database_privilege(current_database(), 'create')
              or exists (select from pg_namespace where nspname = 'bullmq') as queue,
            (select pg_get_userbyid(relowner) from pg_class
              where oid = to_regclass('installation') and not pg_has_role(relowner, 'usage')) as foreign_owner`,
  );
  const [ownerRights] = rows as [OwnerRights];
  const role = pg.escapeIdentifier(names.role);
  const rights: string[] = [];
  const grants: string[] = [];
  if (!ownerRights.schema) {
    rights.push(`CREATE on schema ${ownerRights.schema_name ?? 'public'}`);
    grants.push(
      `GRANT USAGE, CREATE ON SCHEMA ${pg.escapeIdentifier(ownerRights.schema_name ?? 'public')} TO ${role};`,
    );
  }
  if (!ownerRights.queue) {
    rights.push(`CREATE on database ${names.database}`);
    grants.push(`GRANT CREATE ON DATABASE ${pg.escapeIdentifier(names.database)} TO ${role};`);
  }
  if (ownerRights.foreign_owner !== null) {
    rights.push(`the tables belong to the role ${ownerRights.foreign_owner}`);
    grants.push(`GRANT ${pg.escapeIdentifier(ownerRights.foreign_owner)} TO ${role};`);
  }
  if (rights.length > 0) throw rightsRefusal(names, rights, [`Run as a superuser: ${grants.join(' ')}`]);
}

const SHOWN = 3;

/** Checks that the role of an app may use the existing tables of this app. @throws StartRefused */
export async function checkAppRights(client: pg.Client, names: DatabaseNames, app: WritingApp): Promise<void> {
  const required = (Object.keys(OWNERSHIP) as OwnedTable[]).flatMap((table) =>
    privileges(table, app).map((right) => ({ table, right })),
  );
  const { rows } = await client.query<{ table: string; right: string }>(
    `select name as table, wanted as right from unnest($1::text[], $2::text[]) as wish (name, wanted)
      where not has_table_privilege(to_regclass(name), wanted)`,
    [required.map(({ table }) => table), required.map(({ right }) => right)],
  );
  if (rows.length === 0) return;
  const examples = rows.slice(0, SHOWN).map(({ table, right }) => `${right} on ${table}`);
  const rest = rows.length > SHOWN ? [`and ${rows.length - SHOWN} more`] : [];
  throw rightsRefusal(
    names,
    [...examples, ...rest],
    ['Run landlord migrate with the owner of the tables in DATABASE_URL. The command grants the rights of both apps.'],
  );
}
