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

/** Why the caller may not do what needs the permission. Null: the caller may. */
export const refusalQuery = (tenantId: number, { division_id, environment_id }: Scope, permission: Permission) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'permission', { division_id, environment_id }, permission],
    queryFn: async (): Promise<string | null> => {
      const { allowed } = await landlordOf(tenantId).permissions.check({
        permission,
        ...(division_id !== undefined && { division_id }),
        ...(environment_id !== undefined && { environment_id }),
      });
      return allowed ? null : `You need the permission ${permission} here.`;
    },
    staleTime: FRESH_MS,
    throwOnError: false,
  });
