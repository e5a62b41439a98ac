import type { PermissionTree } from '@libs/domain';
import { statement, type Database } from '../database.js';

/** A key with its role and scope; never with its secret. */
export interface ApiKeyDetail {
  id: number;
  name: string;
  role_id: number;
  role_name: string;
  division_id: number | null;
  division_name: string | null;
  user_id: number;
  validate_ip: boolean;
  allowed_ips: string[];
  expiry_at: Date;
  created_at: Date;
  permissions: PermissionTree;
}

const FIND = statement(
  'api_key.find',
  `select k.id, k.name, k.role_id, r.name as role_name, k.division_id, d.name as division_name, k.user_id, k.validate_ip,
          k.allowed_ips, k.expiry_at, k.created_at, r.permissions
     from api_keys k join roles r on r.id = k.role_id left join divisions d on d.id = k.division_id
    where k.tenant_id = $1 and k.id = $2`,
);

/** API keys of a tenant. */
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: number, id: number): Promise<ApiKeyDetail | null> {
    const [row] = await this.database.query<ApiKeyDetail>(FIND, [tenantId, id]);
    return row ?? null;
  }
}
