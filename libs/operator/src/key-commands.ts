import { hashApiKey, mintApiKey, type ApiKeyId, type TenantId } from '@libs/domain';
import { RolesRepository } from '@libs/persistence/organization';
import {
  KeyCommandsRepository,
  TenantCommandsRepository,
  type KeyRow,
  type TenantRow,
} from '@libs/persistence/operator';
import { tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

export interface KeyRequest {
  tenantId: TenantId;
  /** Name of a role of the tenant. */
  role: string;
  name: string;
  days: number;
}

/** A key with its secret, which is shown only once. */
export type IssuedKey = KeyRow & { secret: string };

const MAX_DAYS = 365;

/** API keys of any tenant. Restores access to an installation whose first key was lost. */
export class KeyCommands {
  private readonly rows: KeyCommandsRepository;
  private readonly roles: RolesRepository;
  private readonly tenants: TenantCommandsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new KeyCommandsRepository(session.database);
    this.roles = new RolesRepository(session.database);
    this.tenants = new TenantCommandsRepository(session.database);
  }

  /** @throws OperatorRefused without such a tenant */
  async list(tenantId: TenantId): Promise<KeyRow[]> {
    await this.requireTenant(tenantId);
    return this.rows.list(tenantId);
  }

  /** A new key that acts for the tenant's owner. The limit of the plan does not apply to operators. @throws OperatorRefused */
  async issue({ tenantId, role, name, days }: KeyRequest): Promise<IssuedKey> {
    if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
      throw new OperatorRefused(`A key is valid for 1 to ${MAX_DAYS} days, not for ${days}.`);
    return this.session.database.transaction(async () => {
      const { deleted_at } = await this.requireTenant(tenantId);
      if (deleted_at) throw new OperatorRefused(`Tenant ${tenantId} is deleted.`);
      const holder = await this.rows.holder(tenantId, role);
      if (!holder) throw new OperatorRefused(`Tenant ${tenantId} has no role named ${role}.`);
      const id = await this.rows.nextId();
      const secret = mintApiKey(id);
      const { role_id: roleId, user_id: userId } = holder;
      await this.rows.insert({ id, tenantId, name, secretHash: hashApiKey(secret), roleId, userId, days });
      const key = await this.get(id);
      await this.record('issue', 'api_key_created', key);
      return { ...key, secret };
    });
  }

  /** Deletes the key. It stops working with the next request. @throws OperatorRefused */
  async revoke(id: ApiKeyId): Promise<KeyRow> {
    return this.session.database.transaction(async () => {
      const key = await this.get(id);
      if (!(await this.rows.delete(id))) throw new OperatorRefused(`Key ${id} is already deleted.`);
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
    const key = await this.rows.find(id);
    if (!key) throw new OperatorRefused(`There is no key ${id}. List the keys: landlord ops keys list --tenant <id>`);
    return key;
  }

  private async requireTenant(id: TenantId): Promise<TenantRow> {
    const tenant = await this.tenants.find(id);
    if (tenant) return tenant;
    throw new OperatorRefused(`There is no tenant ${id}. List all tenants: landlord ops tenants list`);
  }
}
