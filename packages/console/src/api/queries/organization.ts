import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { keepPrevious } from '../keep-previous.js';
import { readQuery } from '../read.js';

/** @param active Undefined: members who may come in, and those who may not */
export const membersQuery = (tenantId: number, page: number, active?: boolean) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'members', page, active],
    queryFn: async (): Promise<Main.MemberPage> =>
      landlordOf(tenantId).members.list({ page, ...(active !== undefined && { active }) }),
    placeholderData: keepPrevious(tenantId, 'members'),
  });

/** All roles of a small organization. */
export const rolesQuery = (tenantId: number) => readQuery(tenantId, 'roles.list', { results: 100 });

export type AuditType = Main.AuditEntryView['type'];

/** The filter of the API. */
type AuditQuery = Omit<NonNullable<Main.AuditListData['query']>, 'page' | 'results'>;

export const auditQuery = (tenantId: number, page: number, filter: AuditQuery) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'audit', page, filter],
    queryFn: async (): Promise<Main.AuditEntryPage> => landlordOf(tenantId).audit.list({ page, ...filter }),
    placeholderData: keepPrevious(tenantId, 'audit'),
  });

export const auditTypesQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['audit-types'],
    queryFn: () => landlordOf(tenantId).audit.listTypes(),
    staleTime: Infinity,
  });

export const limitsQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'limits'],
    queryFn: (): Promise<Main.LimitsView> => landlordOf(tenantId).limits.get(),
  });

export const invoicesQuery = (tenantId: number, page: number, status?: string) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'invoices', page, status],
    queryFn: async (): Promise<Main.InvoicePage> =>
      landlordOf(tenantId).invoices.list({
        page,
        ...(status !== undefined && { status: status as Main.InvoiceItemView['status'] }),
      }),
    placeholderData: keepPrevious(tenantId, 'invoices'),
  });
