import type { PermissionTree } from '@libs/domain';
import { statement, type Database } from '../../database.js';
import { readPage, type PageOf, type PageRequest } from '../../page-of.js';

export type RoleKind = 'system' | 'custom' | 'api_key';

/** A role of a tenant (C-9.4). */
export interface Role {
  id: number;
  name: string;
  kind: RoleKind;
  permissions: PermissionTree;
  created_at: Date;
  updated_at: Date;
}

/** Whose roles: of those that were made for one key, a caller who is scoped to a division knows those of its division. */
export interface RoleScope {
  tenantId: number;
  divisionScope: number | null;
}

const COLUMNS = 'id, name, kind, permissions, created_at, updated_at';
// A role that was made for one key is known to whom the key is known: to a scoped caller only in its division.
const VISIBLE = `tenant_id = $1 and ($2::bigint is null or kind <> 'api_key'
   or exists (select 1 from api_keys k where k.role_id = roles.id and k.division_id = $2))`;
const OF_KINDS = `from roles where ${VISIBLE} and kind = any($3::text[])`;

const LIST = statement(
  'role.list',
  `select ${COLUMNS}, count(*) over ()::int as total ${OF_KINDS} order by id desc limit $4 offset $5`,
);
const COUNT = statement('role.count', `select count(*)::int as count ${OF_KINDS}`);
const FIND = statement('role.find', `select ${COLUMNS} from roles where ${VISIBLE} and id = $3`);
const LOCK = statement('role.lock', `select ${COLUMNS} from roles where ${VISIBLE} and id = $3 for update`);
const FIND_BY_NAME = statement(
  'role.by_name',
  `select id from roles where tenant_id = $1 and lower(name) = lower($2) and kind <> 'api_key'`,
);
const INSERT = statement(
  'role.insert',
  `insert into roles (tenant_id, name, kind, permissions) values ($1, $2, $3, $4::jsonb) returning ${COLUMNS}`,
);
// Whoever holds it and reads a stream is asked again at once.
const UPDATE = statement(
  'role.update',
  `update roles set name = $2, permissions = $3::jsonb, updated_at = now() where id = $1 and tenant_id = $4
   returning pg_notify('landlord_access', 'role ' || id)`,
);
const DELETE = statement('role.delete', 'delete from roles where id = $1 and tenant_id = $2');
const DELETE_UNHELD = statement(
  'role.delete_unheld',
  `delete from roles where id = $1 and tenant_id = $2 and kind = 'api_key'
      and not exists (select 1 from api_keys where tenant_id = $2 and role_id = $1)`,
);
const HOLDERS = statement(
  'role.holders',
  `select (select count(*)::int from api_keys where tenant_id = $2 and role_id = $1) as keys,
          (select count(*)::int from member_roles where tenant_id = $2 and role_id = $1) as members`,
);
const ASSIGNABLE = statement(
  'role.assignable',
  `select ${COLUMNS} from roles where tenant_id = $1 and id = any($2::bigint[]) and kind <> 'api_key' order by id for share`,
);
const OF_MEMBER = statement(
  'role.of_member',
  `select ${COLUMNS} from roles
    where tenant_id = $1 and id in (select role_id from member_roles where tenant_id = $1 and user_id = $2) order by id`,
);
const OF_KEY = statement(
  'role.of_key',
  `select ${COLUMNS} from roles where tenant_id = $1 and id = (select role_id from api_keys where id = $2)`,
);
const LIVING_PLACES = statement(
  'role.living_places',
  `select id, null::bigint as division_id from divisions where tenant_id = $1 and id = any($2::bigint[]) and deleted_at is null
   union all
   select id, division_id from environments where tenant_id = $1 and id = any($3::bigint[]) and deleted_at is null`,
);

/** Roles of a tenant; every statement that takes an id from a request carries the tenant. */
export class RolesRepository {
  constructor(private readonly database: Database) {}

  async list(scope: RoleScope, kinds: readonly RoleKind[], request: PageRequest): Promise<PageOf<Role>> {
    return readPage<Role>(this.database, { list: LIST, count: COUNT }, [...inScope(scope), kinds], request);
  }

  async find(scope: RoleScope, id: number): Promise<Role | null> {
    const [row] = await this.database.query<Role>(FIND, [...inScope(scope), id]);
    return row ?? null;
  }

  /** The role, held until the transaction ends. */
  async findForUpdate(scope: RoleScope, id: number): Promise<Role | null> {
    const [row] = await this.database.query<Role>(LOCK, [...inScope(scope), id]);
    return row ?? null;
  }

  /** Those of the ids that members may have, held as they are until the transaction ends, by id. */
  async findAssignable(tenantId: number, ids: readonly number[]): Promise<Role[]> {
    return this.database.query<Role>(ASSIGNABLE, [tenantId, ids]);
  }

  /** Those that a member has, by id. */
  async ofMember(tenantId: number, userId: number): Promise<Role[]> {
    return this.database.query<Role>(OF_MEMBER, [tenantId, userId]);
  }

  /** That of an API key. */
  async ofKey(tenantId: number, keyId: number): Promise<Role[]> {
    return this.database.query<Role>(OF_KEY, [tenantId, keyId]);
  }

  async findIdByName(tenantId: number, name: string): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(FIND_BY_NAME, [tenantId, name]);
    return row?.id ?? null;
  }

  /** Custom roles: those that the plan counts. */
  async countCustom(tenantId: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(COUNT, [tenantId, null, ['custom']]);
    return row?.count ?? 0;
  }

  async insert(tenantId: number, name: string, kind: RoleKind, permissions: PermissionTree): Promise<Role> {
    const [row] = await this.database.query<Role>(INSERT, [tenantId, name, kind, JSON.stringify(permissions)]);
    return row as Role;
  }

  async update(tenantId: number, id: number, name: string, permissions: PermissionTree): Promise<void> {
    await this.database.execute(UPDATE, [id, name, JSON.stringify(permissions), tenantId]);
  }

  async delete(tenantId: number, id: number): Promise<void> {
    await this.database.execute(DELETE, [id, tenantId]);
  }

  /** Removes the role that was made for one key, once no key has it. */
  async deleteUnheld(tenantId: number, id: number): Promise<void> {
    await this.database.execute(DELETE_UNHELD, [id, tenantId]);
  }

  async holders(tenantId: number, id: number): Promise<{ keys: number; members: number }> {
    const [row] = await this.database.query<{ keys: number; members: number }>(HOLDERS, [id, tenantId]);
    return row ?? { keys: 0, members: 0 };
  }

  /** Which of these divisions exist, and which of these environments with their division. */
  async livingPlaces(
    tenantId: number,
    divisions: readonly number[],
    environments: readonly number[],
  ): Promise<{ divisions: Set<number>; environments: Map<number, number> }> {
    const rows = await this.database.query<{ id: number; division_id: number | null }>(LIVING_PLACES, [
      tenantId,
      divisions,
      environments,
    ]);
    const found = rows.filter((row): row is { id: number; division_id: number } => row.division_id !== null);
    return {
      divisions: new Set(rows.filter(({ division_id }) => division_id === null).map(({ id }) => id)),
      environments: new Map(found.map(({ id, division_id }) => [id, division_id])),
    };
  }
}

const inScope = ({ tenantId, divisionScope }: RoleScope): [number, number | null] => [tenantId, divisionScope];
