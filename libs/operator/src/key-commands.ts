import { hashApiKey, mintApiKey, type ApiKeyId, type RoleId, type TenantId, type UserId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { RolesRepository } from '@libs/persistence/organization';
import { INSERT_API_KEY, NEXT_API_KEY_ID, type ApiKey, type Role } from '@libs/persistence/operator';
import { tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { TenantCommands } from './tenant-commands.js';

/** A key as operator commands show it, without its secret. */
export interface KeyRow extends Pick<
  ApiKey,
  'id' | 'tenant_id' | 'name' | 'role_id' | 'division_id' | 'created_at' | 'expiry_at'
> {
  role_name: Role['name'];
  is_expired: boolean;
}

export interface KeyRequest {
  tenantId: TenantId;
  /** Name of a role of the tenant. */
  role: string;
  name: string;
  days: number;
}

/** A key with its secret, which is shown only once. */
export type IssuedKey = KeyRow & { secret: string };

/** The role with a name, and the tenant's owner, for whom the keys of operators act. */
export interface KeyHolder {
  role_id: RoleId;
  user_id: UserId;
}

const MAX_DAYS = 365;

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

/**
 * API keys of any tenant. Restores access to an installation whose first key was lost. Keys are never cached, so a deleted key
 * stops working with the next request.
 */
export class KeyCommands {
  private readonly roles: RolesRepository;
  private readonly tenants: TenantCommands;

  constructor(private readonly session: OperatorSession) {
    this.roles = new RolesRepository(session.database);
    this.tenants = new TenantCommands(session);
  }

  /** @throws OperatorRefused without such a tenant */
  async list(tenantId: TenantId): Promise<KeyRow[]> {
    await this.tenants.get(tenantId);
    return this.session.database.query<KeyRow>(LIST, [tenantId]);
  }

  /** A new key that acts for the tenant's owner. The limit of the plan does not apply to operators. @throws OperatorRefused */
  async issue({ tenantId, role, name, days }: KeyRequest): Promise<IssuedKey> {
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw new OperatorRefused(`A key is valid for 1 to ${MAX_DAYS} days, not for ${days}.`);
    const { database } = this.session;
    return database.transaction(async () => {
      const { deleted_at } = await this.tenants.get(tenantId);
      if (deleted_at) throw new OperatorRefused(`Tenant ${tenantId} is deleted.`);
      const [holder] = await database.query<KeyHolder>(HOLDER, [tenantId, role]);
      if (!holder) throw new OperatorRefused(`Tenant ${tenantId} has no role named ${role}.`);
      const [next] = await database.query<{ id: ApiKeyId }>(NEXT_ID);
      const id = Number(next?.id);
      const secret = mintApiKey(id);
      const { role_id, user_id } = holder;
      await database.execute(INSERT, [id, tenantId, name, hashApiKey(secret), role_id, user_id, days]);
      const key = await this.get(id);
      await this.record('issue', 'api_key_created', key);
      return { ...key, secret };
    });
  }

  /** @throws OperatorRefused */
  async revoke(id: ApiKeyId): Promise<KeyRow> {
    return this.session.database.transaction(async () => {
      const key = await this.get(id);
      if ((await this.session.database.execute(DELETE, [id])) === 0)
        throw new OperatorRefused(`Key ${id} is already deleted.`);
      await this.roles.deleteUnheld(key.tenant_id, key.role_id);
      await this.record('revoke', 'api_key_deleted', key);
      return key;
    });
  }

  private async record(verb: string, type: 'api_key_created' | 'api_key_deleted', key: KeyRow): Promise<void> {
    const { id, tenant_id, name, role_id, division_id } = key;
    const data = { name, role_id, ...(division_id !== null && { division_id }) };
    await this.session.journal.record({
      verb: `keys ${verb}`,
      subject: `key ${id}`,
      detail: data,
      audit: { type, context: tenantContext(tenant_id), data },
    });
  }

  private async get(id: ApiKeyId): Promise<KeyRow> {
    const [key] = await this.session.database.query<KeyRow>(FIND, [id]);
    if (!key) throw new OperatorRefused(`There is no key ${id}. List the keys: landlord ops keys list --tenant <id>`);
    return key;
  }
}
