import { Injectable } from '@nestjs/common';
import type { PermissionTree, ApiKeyId, DivisionId, RoleId, TenantId, UserId, EnvironmentId } from '@libs/domain';
import { Not } from 'typeorm';
import { caseless, containing } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import { Role as RoleEntity } from '../entities/role.entity.js';

export type RoleKind = 'system' | 'custom' | 'api_key';

/** A role of a tenant (C-9.4). */
export type Role = Pick<RoleEntity, 'id' | 'name' | 'kind' | 'permissions' | 'created_at' | 'updated_at'>;

/** The roles that a caller may see. Of the roles for one key, a caller with one division sees only those of that division. */
export interface RoleScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}

/** Which roles a list contains. */
export interface RoleFilter {
  kinds: readonly RoleKind[];
  /** A text that the name contains, without regard to case. Null: roles with any name. */
  name: string | null;
}

const COLUMNS = 'id, name, kind, permissions, created_at, updated_at';
// A role that was created for one key is visible to callers that may see the key. A caller with one division sees it only in
// that division.
const VISIBLE = `tenant_id = $1 and ($2::bigint is null or kind <> 'api_key'
   or exists (select 1 from api_keys k where k.role_id = roles.id and k.division_id = $2))`;
const WANTED = `from roles where ${VISIBLE} and kind = any($3::text[]) and ${containing('name', 4)}`;

const LIST = paged('role.list', {
  columns: COLUMNS,
  rows: WANTED,
  id: 'id',
  keys: { name: byName('name'), created_at: byTime('created_at') },
});
const FIND = statement('role.find', `select ${COLUMNS} from roles where ${VISIBLE} and id = $3`);
const LOCK = statement('role.lock', `select ${COLUMNS} from roles where ${VISIBLE} and id = $3 for update`);
// Open streams of members with this role are authorized again at once.
const UPDATE = statement(
  'role.update',
  `update roles set name = $2, permissions = $3::jsonb, updated_at = now() where id = $1 and tenant_id = $4
   returning pg_notify('landlord_access', 'role ' || id)`,
);
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
const EXISTING_SCOPES = statement(
  'role.living_places',
  `select id, null::bigint as division_id from divisions where tenant_id = $1 and id = any($2::bigint[]) and deleted_at is null
   union all
   select id, division_id from environments where tenant_id = $1 and id = any($3::bigint[]) and deleted_at is null`,
);

/** Roles of a tenant. Every statement with an id from a request has the tenant. */
@Injectable()
export class RolesRepository {
  constructor(private readonly database: Database) {}

  async list(scope: RoleScope, { kinds, name }: RoleFilter, request: PageRequest): Promise<PageOf<Role>> {
    return readPage<Role>(this.database, LIST, [...inScope(scope), kinds, name], request);
  }

  async find(scope: RoleScope, id: RoleId): Promise<Role | null> {
    return this.database.first<Role>(FIND, [...inScope(scope), id]);
  }

  /** Reads the role and locks it until the transaction ends. */
  async findForUpdate(scope: RoleScope, id: RoleId): Promise<Role | null> {
    return this.database.first<Role>(LOCK, [...inScope(scope), id]);
  }

  /** The roles among the ids that members may have, ordered by id. Locks them against changes until the transaction ends. */
  async findAssignable(tenantId: TenantId, ids: readonly RoleId[]): Promise<Role[]> {
    return this.database.query<Role>(ASSIGNABLE, [tenantId, ids]);
  }

  /** The roles of a member, ordered by id. */
  async ofMember(tenantId: TenantId, userId: UserId): Promise<Role[]> {
    return this.database.query<Role>(OF_MEMBER, [tenantId, userId]);
  }

  /** The role of an API key. */
  async ofKey(tenantId: TenantId, keyId: ApiKeyId): Promise<Role[]> {
    return this.database.query<Role>(OF_KEY, [tenantId, keyId]);
  }

  async findIdByName(tenantId: TenantId, name: string): Promise<RoleId | null> {
    const where = { tenant_id: tenantId, name: caseless(name), kind: Not('api_key' as const) };
    const role = await this.database.repository(RoleEntity).findOne({ select: { id: true }, where });
    return role?.id ?? null;
  }

  /** Number of custom roles. Only these count against the plan. */
  async countCustom(tenantId: TenantId): Promise<number> {
    return this.database.repository(RoleEntity).countBy({ tenant_id: tenantId, kind: 'custom' });
  }

  async insert(tenantId: TenantId, name: string, kind: RoleKind, permissions: PermissionTree): Promise<Role> {
    const role = this.database.repository(RoleEntity).create({ tenant_id: tenantId, name, kind, permissions });
    await this.database.repository(RoleEntity).insert(role);
    return role;
  }

  async update(tenantId: TenantId, id: RoleId, name: string, permissions: PermissionTree): Promise<void> {
    await this.database.execute(UPDATE, [id, name, JSON.stringify(permissions), tenantId]);
  }

  async delete(tenantId: TenantId, id: RoleId): Promise<void> {
    await this.database.repository(RoleEntity).delete({ id, tenant_id: tenantId });
  }

  /** Deletes the role of a key when no key uses it any more. */
  async deleteUnheld(tenantId: TenantId, id: RoleId): Promise<void> {
    await this.database.execute(DELETE_UNHELD, [id, tenantId]);
  }

  async holders(tenantId: TenantId, id: RoleId): Promise<{ keys: number; members: number }> {
    const [row] = await this.database.query<{ keys: number; members: number }>(HOLDERS, [id, tenantId]);
    return row ?? { keys: 0, members: 0 };
  }

  /** The divisions and environments among the ids that exist, environments with their division. */
  async existingScopes(
    tenantId: TenantId,
    divisions: readonly DivisionId[],
    environments: readonly EnvironmentId[],
  ): Promise<{ divisions: Set<DivisionId>; environments: Map<EnvironmentId, DivisionId> }> {
    const rows = await this.database.query<{ id: number; division_id: DivisionId | null }>(EXISTING_SCOPES, [
      tenantId,
      divisions,
      environments,
    ]);
    const divisionRows = rows.filter((row): row is { id: number; division_id: DivisionId } => row.division_id !== null);
    return {
      divisions: new Set(rows.filter(({ division_id }) => division_id === null).map(({ id }) => id)),
      environments: new Map(divisionRows.map(({ id, division_id }) => [id, division_id])),
    };
  }
}

const inScope = ({ tenantId, divisionScope }: RoleScope): [TenantId, DivisionId | null] => [tenantId, divisionScope];
