import { useQuery } from '@tanstack/react-query';
import { missingPermissionsQuery, refusalOf, type Permission } from './queries/permissions.js';

/** Why the caller may not do what needs the permission in the whole organization. */
export function useTenantRefusal(tenantId: number, permission: Permission): string | null {
  const { data: missing = [] } = useQuery(missingPermissionsQuery(tenantId, {}, [permission]));
  return refusalOf(missing, permission);
}
