import type { Main } from '@landlord/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';

export const membersQuery = (tenantId: number, page: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'members', page],
    queryFn: async (): Promise<Main.MemberPage> => landlordOf(tenantId).members.list({ page }),
    placeholderData: keepPreviousData,
  });

export const keysQuery = (tenantId: number, page: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'keys', page],
    queryFn: async (): Promise<Main.ApiKeyPage> => landlordOf(tenantId).apiKeys.list({ page }),
    placeholderData: keepPreviousData,
  });

export const rolesQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'roles'],
    queryFn: async () => landlordOf(tenantId).roles.list({ results: 100 }),
  });

export type AuditType = Main.AuditEntryView['type'];

export const auditQuery = (tenantId: number, page: number, type: AuditType | undefined) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'audit', page, type],
    queryFn: async (): Promise<Main.AuditEntryPage> =>
      landlordOf(tenantId).audit.list({ page, ...(type !== undefined && { types: [type] }) }),
    placeholderData: keepPreviousData,
  });

export const auditTypesQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['audit-types'],
    queryFn: () => landlordOf(tenantId).audit.listTypes(),
    staleTime: Infinity,
  });
