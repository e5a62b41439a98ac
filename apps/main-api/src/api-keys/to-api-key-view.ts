import type { ActingCaller } from '@libs/http';
import type { LedgerContext } from '@libs/ledger';
import type { ApiKeyRow } from '@libs/persistence/organization';
import type { ApiKeyItem, ApiKeyView } from './dto/api-key.view.js';

export const toItem = (key: ApiKeyRow): ApiKeyItem => ({
  id: key.id,
  name: key.name,
  role_id: key.role_id,
  role_name: key.role_name,
  division_id: key.division_id,
  division_name: key.division_name,
  validate_ip: key.validate_ip,
  allowed_ips: key.allowed_ips,
  expiry_at: key.expiry_at.toISOString(),
  created_at: key.created_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
});

export const toView = (key: ApiKeyRow): ApiKeyView => ({
  ...toItem(key),
  user_id: key.user_id,
  permissions: key.permissions,
});

/** Returns the context of a key for the audit record. */
export const contextOf = (
  { tenantId }: ActingCaller,
  { division_id: id, division_name: name }: Pick<ApiKeyRow, 'division_id' | 'division_name'>,
): LedgerContext => ({
  tenantId,
  division: id === null ? null : { id, name: name ?? '' },
  environment: null,
  deployment: null,
});

/** Returns the data of a key for the audit record (C-6.12). */
export const auditData = ({ name, role_id, division_id }: Pick<ApiKeyRow, 'name' | 'role_id' | 'division_id'>) => ({
  name,
  role_id,
  ...(division_id !== null && { division_id }),
});
