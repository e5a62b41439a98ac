import { Injectable } from '@nestjs/common';
import type { ApiKeyId, DivisionId, RoleId, TenantId, UserId } from '@libs/domain';
import { containing } from '../../conditions.js';
import { statement, Database } from '../../database.js';
import { NEXT_API_KEY_ID } from './insert-api-key.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../../page-of.js';
import { ApiKey } from '../entities/api-key.entity.js';
import type { Role } from '../entities/role.entity.js';
import type { Division } from '../entities/division.entity.js';
import type { User } from '../entities/user.entity.js';

/** A key with its role and scope, without its secret. */
export interface ApiKeyRow extends Pick<
  ApiKey,
  'id' | 'name' | 'role_id' | 'division_id' | 'user_id' | 'validate_ip' | 'allowed_ips' | 'expiry_at' | 'created_at'
> {
  role_name: Role['name'];
  division_name: Division['name'] | null;
  user_name: User['name'];
  /** Rounded to the minute. Null for never. */
  last_used_at: Date | null;
  permissions: Role['permissions'];
}

/** The values of a new key. */
export interface NewApiKey {
  id: ApiKeyId;
  tenantId: TenantId;
  name: string;
  secretHash: Buffer;
  roleId: RoleId;
  divisionId: DivisionId | null;
  userId: UserId;
  validateIp: boolean;
  allowedIps: readonly string[];
  expiryAt: Date;
}

/** The keys that a caller may see. A caller with one division sees only keys of that division. */
export interface ApiKeyScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}

const COLUMNS = `k.id, k.name, k.role_id, r.name as role_name, k.division_id, d.name as division_name, k.user_id, owner.name as user_name, k.validate_ip,
  k.allowed_ips, k.expiry_at, k.created_at, u.last_used_at, r.permissions`;
const VISIBLE = `from api_keys k join roles r on r.id = k.role_id join users owner on owner.id = k.user_id left join divisions d on d.id = k.division_id
     left join api_key_uses u on u.api_key_id = k.id
    where k.tenant_id = $1 and ($2::bigint is null or k.division_id = $2)`;

const NAMED = `${VISIBLE} and ${containing('k.name', 3)}`;

const LIST = paged('api_key.list', {
  columns: COLUMNS,
  rows: NAMED,
  id: 'k.id',
  keys: { name: byName('k.name'), created_at: byTime('k.created_at') },
});
const FIND = statement('api_key.find', `select ${COLUMNS} ${VISIBLE} and k.id = $3`);
const LOCK = statement('api_key.lock', `select ${COLUMNS} ${VISIBLE} and k.id = $3 for update of k`);
const NEXT_ID = statement('api_key.next_id', NEXT_API_KEY_ID);
const INSERT = statement(
  'api_key.insert',
  `insert into api_keys (id, tenant_id, name, secret_hash, role_id, division_id, user_id, validate_ip, allowed_ips, expiry_at)
   overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
// Open streams with this key are authorized again at once. PostgreSQL sends the notification with the commit.
const NOTIFY = `returning pg_notify('landlord_access', id::text)`;
const RESTRICT = statement(
  'api_key.restrict',
  `update api_keys set validate_ip = $2, allowed_ips = $3 where id = $1 and tenant_id = $4 ${NOTIFY}`,
);
// A code of a login by browser ends: the secret that its holder would get replaces the secret of this rotation.
const ROTATE = statement(
  'api_key.rotate',
  `with ended as (
     delete from login_codes c using api_keys k where k.id = $1 and k.tenant_id = $4 and c.api_key_id = k.id)
   update api_keys set previous_secret_hash = secret_hash, previous_until = now() + make_interval(secs => $3), secret_hash = $2
    where id = $1 and tenant_id = $4 ${NOTIFY}`,
);
const SET_OWNER = statement(
  'api_key.set_owner',
  `update api_keys set user_id = $3 where tenant_id = $1 and id = $2 ${NOTIFY}`,
);
const DELETE = statement('api_key.delete', `delete from api_keys where id = $1 and tenant_id = $2 ${NOTIFY}`);

/** API keys of a tenant. */
@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** @param name A text that the name contains, without regard to case. Null: keys with any name */
  async list(scope: ApiKeyScope, name: string | null, request: PageRequest): Promise<PageOf<ApiKeyRow>> {
    const values = [scope.tenantId, scope.divisionScope, name];
    return readPage<ApiKeyRow>(this.database, LIST, values, request);
  }

  async find({ tenantId, divisionScope }: ApiKeyScope, id: ApiKeyId): Promise<ApiKeyRow | null> {
    return this.database.first<ApiKeyRow>(FIND, [tenantId, divisionScope, id]);
  }

  /** Reads the key and locks it until the transaction ends. */
  async findForUpdate({ tenantId, divisionScope }: ApiKeyScope, id: ApiKeyId): Promise<ApiKeyRow | null> {
    return this.database.first<ApiKeyRow>(LOCK, [tenantId, divisionScope, id]);
  }

  /** Number of keys of the tenant, of any scope. */
  async count(tenantId: TenantId): Promise<number> {
    return this.database.repository(ApiKey).countBy({ tenant_id: tenantId });
  }

  /** Returns the id of the next key. The secret contains the id, so the caller needs it before the insert. */
  async nextId(): Promise<ApiKeyId> {
    const [row] = await this.database.query<{ id: ApiKeyId }>(NEXT_ID);
    return Number(row?.id);
  }

  async insert(key: NewApiKey): Promise<void> {
    const { id, tenantId, name, secretHash, roleId, divisionId, userId, validateIp, allowedIps, expiryAt } = key;
    const holder = [roleId, divisionId, userId];
    await this.database.execute(INSERT, [id, tenantId, name, secretHash, ...holder, validateIp, allowedIps, expiryAt]);
  }

  async restrict(tenantId: TenantId, id: ApiKeyId, validateIp: boolean, allowedIps: readonly string[]): Promise<void> {
    await this.database.execute(RESTRICT, [id, validateIp, allowedIps, tenantId]);
  }

  /** The hash of the current secret, without a lock. Null without such a key. */
  async secretHash(tenantId: TenantId, id: ApiKeyId): Promise<Buffer | null> {
    const where = { id, tenant_id: tenantId };
    const key = await this.database.repository(ApiKey).findOne({ select: { secret_hash: true }, where });
    return key?.secret_hash ?? null;
  }

  /** The previous secret works for `overlapSeconds` more. A secret from an earlier rotation stops working. */
  async rotate(tenantId: TenantId, id: ApiKeyId, secretHash: Buffer, overlapSeconds: number): Promise<void> {
    await this.database.execute(ROTATE, [id, secretHash, overlapSeconds, tenantId]);
  }

  /** Makes another member the owner of the key. */
  async setOwner(tenantId: TenantId, id: ApiKeyId, userId: UserId): Promise<void> {
    await this.database.execute(SET_OWNER, [tenantId, id, userId]);
  }

  async delete(tenantId: TenantId, id: ApiKeyId): Promise<void> {
    await this.database.execute(DELETE, [id, tenantId]);
  }
}
