import { Injectable } from '@nestjs/common';
import type { ApiKeyId, RoleId, TenantId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { INSERT_API_KEY, NEXT_API_KEY_ID } from '../organization/people/insert-api-key.js';
import type { ApiKey } from '../organization/entities/api-key.entity.js';
import type { Role } from '../organization/entities/role.entity.js';

/** A key as operator commands show it, without its secret. */
export interface KeyRow extends Pick<
  ApiKey,
  'id' | 'tenant_id' | 'name' | 'role_id' | 'division_id' | 'created_at' | 'expiry_at'
> {
  role_name: Role['name'];
  is_expired: boolean;
}

/** The values of a new key. */
export interface NewKey {
  id: ApiKeyId;
  tenantId: TenantId;
  name: string;
  secretHash: Buffer;
  roleId: RoleId;
  userId: UserId;
  days: number;
}

/** The role and the user of a new key. */
export interface KeyHolder {
  role_id: RoleId;
  user_id: UserId;
}

const COLUMNS = `k.id, k.tenant_id, k.name, k.role_id, r.name as role_name, k.division_id, k.created_at, k.expiry_at,
  k.expiry_at <= now() as is_expired`;
const LIST = statement(
  'operator.keys',
  `select ${COLUMNS} from api_keys k join roles r on r.id = k.role_id where k.tenant_id = $1 order by k.id desc limit 1000`,
);
const FIND = statement(
  'operator.key',
  `select ${COLUMNS} from api_keys k join roles r on r.id = k.role_id where k.id = $1`,
);
const HOLDER = statement(
  'operator.key_holder',
  `select r.id as role_id, t.owner_id as user_id from tenants t
     join roles r on r.tenant_id = t.id and r.kind <> 'api_key' and lower(r.name) = lower($2)
    where t.id = $1 and t.deleted_at is null`,
);
const NEXT_ID = statement('operator.next_key_id', NEXT_API_KEY_ID);
const INSERT = statement('operator.insert_key', INSERT_API_KEY);
// Notifies open streams, so that streams with this key stop at once.
const DELETE = statement(
  'operator.delete_key',
  `delete from api_keys where id = $1 returning pg_notify('landlord_access', id::text)`,
);

/** API keys of all tenants. Keys are never cached, so a deleted key stops working with the next request. */
@Injectable()
export class KeyCommandsRepository {
  constructor(private readonly database: Database) {}

  async list(tenantId: TenantId): Promise<KeyRow[]> {
    return this.database.query<KeyRow>(LIST, [tenantId]);
  }

  async find(id: ApiKeyId): Promise<KeyRow | null> {
    const [row] = await this.database.query<KeyRow>(FIND, [id]);
    return row ?? null;
  }

  /** The role with that name, and the tenant's owner. Keys from operators act for the owner. Null when either is missing. */
  async holder(tenantId: TenantId, role: string): Promise<KeyHolder | null> {
    const [row] = await this.database.query<KeyHolder>(HOLDER, [tenantId, role]);
    return row ?? null;
  }

  async nextId(): Promise<ApiKeyId> {
    const [row] = await this.database.query<{ id: ApiKeyId }>(NEXT_ID);
    return Number(row?.id);
  }

  async insert(key: NewKey): Promise<void> {
    const { id, tenantId, name, secretHash, roleId, userId, days } = key;
    await this.database.execute(INSERT, [id, tenantId, name, secretHash, roleId, userId, days]);
  }

  async delete(id: ApiKeyId): Promise<boolean> {
    return (await this.database.execute(DELETE, [id])) === 1;
  }
}
