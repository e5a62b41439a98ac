import { useQuery } from '@tanstack/react-query';
import { refusalQuery, type Permission, type Scope } from '../api/queries/permissions.js';

export type { Scope };

/** Why the caller may not send a request that needs the permission. Null: the caller may, or the API has not said yet. */
export function useMissing(tenantId: number, permission: string | undefined, scope: Scope = {}): string | null {
  const { data: refusal = null } = useQuery({
    ...refusalQuery(tenantId, scope, permission as Permission),
    enabled: permission !== undefined,
  });
  return refusal;
}
