import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';

/** Rights change rarely, and the API checks each request. */
const FRESH_MS = 60_000;

export type Permission = Main.PermissionsCheckData['query']['permission'];

/** Where the caller needs the permissions. Without ids: in the whole organization. */
export interface Scope {
  division_id?: number;
  environment_id?: number;
}

/** The permissions, of those that a page needs, that the caller has not. */
export const missingPermissionsQuery = (
  tenantId: number,
  { division_id, environment_id }: Scope,
  permissions: readonly Permission[],
) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'permissions', { division_id, environment_id }, permissions],
    queryFn: async (): Promise<readonly Permission[]> => {
      const checked = await Promise.all(
        permissions.map(async (permission) => {
          const { allowed } = await landlordOf(tenantId).permissions.check({
            permission,
            ...(division_id !== undefined && { division_id }),
            ...(environment_id !== undefined && { environment_id }),
          });
          return allowed ? [] : [permission];
        }),
      );
      return checked.flat();
    },
    staleTime: FRESH_MS,
    throwOnError: false,
  });

/** Why the caller may not do what needs the permission. Null: the caller may, or the API has not said yet. */
export const refusalOf = (missing: readonly Permission[], permission: Permission): string | null =>
  missing.includes(permission) ? `You need the permission ${permission} here.` : null;
