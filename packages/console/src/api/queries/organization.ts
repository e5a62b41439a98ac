import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { neededQuery, readQuery, type InputOf } from '../read.js';

export const membersQuery = (
  tenantId: number,
  page: number,
  filter: Pick<InputOf<'members.list'>, 'active' | 'email'>,
) => neededQuery(tenantId, 'members.list', { page, ...filter });

/** All roles of a small organization. */
export const rolesQuery = (tenantId: number) => readQuery(tenantId, 'roles.list', { results: 100 });

export type AuditType = Main.AuditEntryView['type'];
/** The filter of the API. */
type AuditQuery = Omit<InputOf<'audit.list'>, 'page' | 'results'>;

export const auditQuery = (tenantId: number, page: number, filter: AuditQuery) =>
  neededQuery(tenantId, 'audit.list', { page, ...filter });

export const auditTypesQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['audit-types'],
    queryFn: () => landlordOf(tenantId).audit.listTypes(),
    staleTime: Infinity,
  });

export const limitsQuery = (tenantId: number) => neededQuery(tenantId, 'limits.get', {});

export const invoicesQuery = (tenantId: number, page: number, status?: string) =>
  neededQuery(tenantId, 'invoices.list', { page, ...(status !== undefined && { status }) } as InputOf<'invoices.list'>);
