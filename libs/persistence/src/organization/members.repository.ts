import { statement, type Database } from '../database.js';
import { readPage, type PageOf, type PageRequest } from './page-of.js';

/** A member of a tenant with all roles (fills 3). */
export interface Member {
  id: number;
  email: string;
  name: string;
  active: boolean;
  owner: boolean;
  roles: { id: number; name: string }[];
  created_at: Date;
}

const COLUMNS = `m.user_id as id, u.email, u.name, m.active, t.owner_id = m.user_id as owner, m.created_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.id)
              from member_roles held join roles r on r.id = held.role_id
             where held.tenant_id = m.tenant_id and held.user_id = m.user_id), '[]') as roles`;
const MEMBERS = `from members m join users u on u.id = m.user_id join tenants t on t.id = m.tenant_id`;
const WITH_ROLE = `${MEMBERS} join member_roles mr on mr.tenant_id = m.tenant_id and mr.user_id = m.user_id
   where m.tenant_id = $1 and mr.role_id = $2`;

const LIST_BY_ROLE = statement(
  'member.by_role',
  `select ${COLUMNS}, count(*) over ()::int as total ${WITH_ROLE} order by m.created_at desc, m.user_id desc limit $3 offset $4`,
);
const COUNT_BY_ROLE = statement('member.count_by_role', `select count(*)::int as count ${WITH_ROLE}`);
const LOCK_MANY = statement(
  'member.lock_many',
  `select m.user_id as id, u.name, t.owner_id = m.user_id as owner ${MEMBERS}
    where m.tenant_id = $1 and m.user_id = any($2::bigint[]) order by m.user_id for no key update of m`,
);
const ASSIGN = statement(
  'member.assign',
  `insert into member_roles (tenant_id, user_id, role_id) select $1, unnest($2::bigint[]), $3
   on conflict do nothing returning user_id as id`,
);
const REVOKE = statement(
  'member.revoke',
  `delete from member_roles where tenant_id = $1 and user_id = any($2::bigint[]) and role_id = $3 returning user_id as id`,
);

/** Members of a tenant, and the roles that they have. */
export class MembersRepository {
  constructor(private readonly database: Database) {}

  async listByRole(tenantId: number, roleId: number, request: PageRequest): Promise<PageOf<Member>> {
    const statements = { list: LIST_BY_ROLE, count: COUNT_BY_ROLE };
    return readPage<Member>(this.database, statements, [tenantId, roleId], request);
  }

  /** Those of the ids that are members, held until the transaction ends, in the order of their ids. */
  async lockMany(tenantId: number, ids: readonly number[]): Promise<Pick<Member, 'id' | 'name' | 'owner'>[]> {
    return this.database.query(LOCK_MANY, [tenantId, ids]);
  }

  /** Ids of the members who did not have the role before. */
  async assign(tenantId: number, ids: readonly number[], roleId: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(ASSIGN, [tenantId, ids, roleId]);
    return rows.map(({ id }) => id);
  }

  /** Ids of the members who had the role until now. */
  async revoke(tenantId: number, ids: readonly number[], roleId: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(REVOKE, [tenantId, ids, roleId]);
    return rows.map(({ id }) => id);
  }
}
