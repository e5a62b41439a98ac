import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';

export const joinRequestsQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'join-requests'],
    queryFn: async (): Promise<Main.JoinRequestPage> =>
      landlordOf(tenantId).joinRequests.list({ status: 'pending', results: 100 }),
    throwOnError: false,
  });

export const joinRequestQuery = (tenantId: number, join_request_id: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'join-request', join_request_id],
    queryFn: (): Promise<Main.JoinRequestView> => landlordOf(tenantId).joinRequests.get({ join_request_id }),
  });
