import { Injectable } from '@nestjs/common';
import {
  canonicalMailbox,
  type Holding,
  type PermissionTree,
  type ApiKeyId,
  type DivisionId,
  type RoleId,
  type TenantId,
  type UserId,
} from '@libs/domain';
import { containing } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import type { User } from '../entities/user.entity.js';
import { Member as MemberEntity } from '../entities/member.entity.js';
import { MemberRole } from '../entities/member-role.entity.js';

/** A member of a tenant with all roles (C-9.1). */
export interface Member
  extends Pick<User, 'email' | 'name'>, Pick<MemberEntity, 'active' | 'division_id' | 'created_at'> {
  id: MemberEntity['user_id'];
  owner: boolean;
  roles: { id: RoleId; name: string }[];
}

/** The members that a caller may see. A caller with one division sees only members of that division. */
export interface MemberScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}

/** Which members a list has. */
export interface MemberFilter {
  active: boolean | null;
  email: string | null;
}

/** The values of a new member. */
export interface NewMember {
  tenantId: TenantId;
  userId: UserId;
  divisionId: DivisionId | null;
  /** Ids of deleted roles are ignored. */
  roleIds: readonly RoleId[];
}

const COLUMNS = `m.user_id as id, u.email, u.name, m.active, t.owner_id = m.user_id as owner, m.division_id, m.created_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.id)
              from member_roles held join roles r on r.id = held.role_id
             where held.tenant_id = m.tenant_id and held.user_id = m.user_id), '[]') as roles`;
const MEMBERS = `from members m join users u on u.id = m.user_id join tenants t on t.id = m.tenant_id`;
const IN_SCOPE = 'm.tenant_id = $1 and ($2::bigint is null or m.division_id = $2)';
const WITH_ROLE = `${MEMBERS} join member_roles mr on mr.tenant_id = m.tenant_id and mr.user_id = m.user_id
   where ${IN_SCOPE} and mr.role_id = $3`;
const WANTED = `${MEMBERS} where ${IN_SCOPE} and ($3::boolean is null or m.active = $3) and ${containing('u.email', 4)}`;
const ONE = `${MEMBERS} where ${IN_SCOPE} and m.user_id = $3`;
const ORDER = {
  id: 'm.user_id',
  keys: { name: byName('u.name'), created_at: byTime('m.created_at') },
  usual: '-created_at',
};

const LIST = paged('member.list', { columns: COLUMNS, rows: WANTED, ...ORDER });
const FIND = statement('member.find', `select ${COLUMNS} ${ONE}`);
const LOCK = statement('member.lock', `select ${COLUMNS} ${ONE} for update of m`);
const IS_MEMBER = statement(
  'member.has_email',
  `select exists(select 1 ${MEMBERS} where m.tenant_id = $1 and u.email_canonical = $2) as is_member`,
);
const LIST_BY_ROLE = paged('member.list_by_role', { columns: COLUMNS, rows: WITH_ROLE, ...ORDER });
const LOCK_MANY = statement(
  'member.lock_many',
  `select m.user_id as id, u.name, t.owner_id = m.user_id as owner ${MEMBERS}
    where ${IN_SCOPE} and m.user_id = any($3::bigint[]) order by m.user_id for no key update of m`,
);
const ASSIGN = statement(
  'member.assign',
  `insert into member_roles (tenant_id, user_id, role_id) select $1, unnest($2::bigint[]), $3
   on conflict do nothing returning user_id as id`,
);
// Open streams of the member, or of the member's keys, are authorized again. PostgreSQL sends the notification with the commit.
const NOTIFY = `pg_notify('landlord_access', 'member ' || user_id)`;
const REVOKE = statement(
  'member.revoke',
  `delete from member_roles where tenant_id = $1 and user_id = any($2::bigint[]) and role_id = $3 returning user_id as id, ${NOTIFY}`,
);
// Also answers pending invitations to the address and pending requests of the user. Deletes keys of the user: a concurrent
// request may have created one while the previous membership ended, and that key must not work again.
const JOIN = statement(
  'member.join',
  `with joined as (
     insert into members (tenant_id, user_id, division_id) values ($1, $2, $3) on conflict do nothing returning user_id
   ), held as (
     insert into member_roles (tenant_id, user_id, role_id)
     select $1, joined.user_id, r.id from joined, roles r
      where r.tenant_id = $1 and r.id = any($4::bigint[]) and r.kind <> 'api_key'
   ), invited as (
     update invitations i set status = 'accepted', answered_at = now() from joined, users u
      where u.id = joined.user_id and i.tenant_id = $1 and i.email_canonical = u.email_canonical
        and i.status = 'pending' and i.expires_at > now()
   ), forgotten as (
     delete from api_keys k using joined where k.tenant_id = $1 and k.user_id = joined.user_id
   ), asked as (
     update join_requests q set status = 'approved', answered_at = now() from joined
      where q.tenant_id = $1 and q.user_id = joined.user_id and q.status = 'pending'
   )
   select user_id from joined`,
);
const SET_ACTIVE = statement(
  'member.set_active',
  `update members set active = $3 where tenant_id = $1 and user_id = $2 returning ${NOTIFY}`,
);
const SET_ROLES = statement(
  'member.set_roles',
  `with gone as (
     delete from member_roles where tenant_id = $1 and user_id = $2 and role_id <> all($3::bigint[])
   ), given as (
     insert into member_roles (tenant_id, user_id, role_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing
   )
   select ${NOTIFY} from members where tenant_id = $1 and user_id = $2`,
);
const REMOVE = statement(
  'member.remove',
  `delete from members where tenant_id = $1 and user_id = $2 returning ${NOTIFY}`,
);
const REMOVE_KEYS = statement(
  'member.remove_keys',
  'delete from api_keys where tenant_id = $1 and user_id = $2 returning id, role_id',
);
const REMOVE_KEY_ROLES = statement(
  'member.remove_key_roles',
  `delete from roles r where r.tenant_id = $1 and r.id = any($2::bigint[]) and r.kind = 'api_key'
      and not exists (select 1 from api_keys k where k.role_id = r.id)`,
);

const HOLDINGS = statement(
  'member.holdings',
  `select m.user_id as id, m.division_id as scope,
          array(select r.permissions from member_roles mr join roles r on r.id = mr.role_id
                 where mr.tenant_id = m.tenant_id and mr.user_id = m.user_id) as trees
     from members m where m.tenant_id = $1 and m.user_id = any($2::bigint[]) and m.active`,
);

/** Members of a tenant and their roles. */
@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  /** `active`: only active or only inactive members. `email`: a part of the address. Null for all. */
  async list(scope: MemberScope, filter: MemberFilter, request: PageRequest): Promise<PageOf<Member>> {
    return readPage<Member>(this.database, LIST, [...inScope(scope), filter.active, filter.email], request);
  }

  async find(scope: MemberScope, id: UserId): Promise<Member | null> {
    return this.database.first<Member>(FIND, [...inScope(scope), id]);
  }

  /** Reads the member and locks it until the transaction ends. */
  async findForUpdate(scope: MemberScope, id: UserId): Promise<Member | null> {
    return this.database.first<Member>(LOCK, [...inScope(scope), id]);
  }

  /** Number of members, active and inactive. */
  async count(tenantId: TenantId): Promise<number> {
    return this.database.repository(MemberEntity).countBy({ tenant_id: tenantId });
  }

  /** Whether a member has this address. Ignores the case. */
  async hasEmail(tenantId: TenantId, email: string): Promise<boolean> {
    const [row] = await this.database.query<{ is_member: boolean }>(IS_MEMBER, [
      ...[tenantId, canonicalMailbox(email)],
    ]);
    return row?.is_member ?? false;
  }

  /**
   * Makes a user a member. Also answers a pending invitation to the address and a pending request of the user. Returns false
   * and changes nothing when the user is already a member. The caller must have locked the tenant, because members count
   * against a limit.
   */
  async join({ tenantId, userId, divisionId, roleIds }: NewMember): Promise<boolean> {
    return (await this.database.query(JOIN, [tenantId, userId, divisionId, roleIds])).length === 1;
  }

  async setActive(tenantId: TenantId, id: UserId, active: boolean): Promise<void> {
    await this.database.execute(SET_ACTIVE, [tenantId, id, active]);
  }

  /** Replaces all roles of the member. */
  async setRoles(tenantId: TenantId, id: UserId, roleIds: readonly RoleId[]): Promise<void> {
    await this.database.execute(SET_ROLES, [tenantId, id, roleIds]);
  }

  /** Deletes a membership with its roles and keys. Returns the ids of the keys. */
  async remove(tenantId: TenantId, id: UserId): Promise<ApiKeyId[]> {
    const keys = await this.database.query<{ id: ApiKeyId; role_id: ApiKeyId }>(REMOVE_KEYS, [tenantId, id]);
    await this.database.execute(REMOVE_KEY_ROLES, [tenantId, keys.map(({ role_id }) => role_id)]);
    await this.database.execute(REMOVE, [tenantId, id]);
    return keys.map((key) => key.id).sort((a, b) => a - b);
  }

  async listByRole(scope: MemberScope, roleId: RoleId, request: PageRequest): Promise<PageOf<Member>> {
    return readPage<Member>(this.database, LIST_BY_ROLE, [...inScope(scope), roleId], request);
  }

  /** Reads the members among the ids, in the order of ids. Locks them until the transaction ends. */
  async findManyForUpdate(
    scope: MemberScope,
    ids: readonly UserId[],
  ): Promise<Pick<Member, 'id' | 'name' | 'owner'>[]> {
    return this.database.query(LOCK_MANY, [...inScope(scope), ids]);
  }

  /** The permissions of members from all their roles. Inactive members have none and are omitted. */
  async holdings(tenantId: TenantId, ids: readonly UserId[]): Promise<Map<UserId, Holding>> {
    const rows = await this.database.query<{ id: UserId; scope: DivisionId | null; trees: PermissionTree[] }>(
      HOLDINGS,
      [tenantId, ids],
    );
    return new Map(rows.map(({ id, scope, trees }) => [id, { trees, divisionScope: scope }]));
  }

  /** Ids of all members with the role. */
  async idsWithRole(tenantId: TenantId, roleId: RoleId): Promise<UserId[]> {
    const where = { tenant_id: tenantId, role_id: roleId };
    const rows = await this.database.repository(MemberRole).find({ where, order: { user_id: 'ASC' } });
    return rows.map(({ user_id }) => user_id);
  }

  /** Returns the ids of the members that did not have the role before. */
  async assign(tenantId: TenantId, ids: readonly UserId[], roleId: RoleId): Promise<UserId[]> {
    const rows = await this.database.query<{ id: UserId }>(ASSIGN, [tenantId, ids, roleId]);
    return rows.map(({ id }) => id);
  }

  /** Returns the ids of the members that had the role before. */
  async revoke(tenantId: TenantId, ids: readonly UserId[], roleId: RoleId): Promise<UserId[]> {
    const rows = await this.database.query<{ id: UserId }>(REVOKE, [tenantId, ids, roleId]);
    return rows.map(({ id }) => id);
  }
}

const inScope = ({ tenantId, divisionScope }: MemberScope): [TenantId, DivisionId | null] => [tenantId, divisionScope];
