import { Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { ApiKeysRepository, type ApiKeyDetail } from '@libs/persistence/organization';
import type { ApiKeyView } from './dto/api-key.view.js';

@Injectable()
export class ApiKeysService {
  private readonly keys: ApiKeysRepository;

  constructor(database: Database) {
    this.keys = new ApiKeysRepository(database);
  }

  /** The calling key itself. */
  async context({ tenantId, caller }: ActingCaller): Promise<ApiKeyView> {
    const key = await this.keys.find(tenantId, caller.key.id);
    if (!key) throw new DomainError('unauthenticated', 'The ld-api-key header carries no valid API key.');
    return toView(key);
  }
}

const toView = (key: ApiKeyDetail): ApiKeyView => ({
  id: key.id,
  name: key.name,
  role_id: key.role_id,
  role_name: key.role_name,
  division_id: key.division_id,
  division_name: key.division_name,
  user_id: key.user_id,
  validate_ip: key.validate_ip,
  allowed_ips: key.allowed_ips,
  expiry_at: key.expiry_at.toISOString(),
  created_at: key.created_at.toISOString(),
  permissions: key.permissions,
});
