import { neededQuery, readQuery } from '../read.js';

export const joinRequestsQuery = (tenantId: number) =>
  readQuery(tenantId, 'joinRequests.list', { status: 'pending', results: 100 });

export const joinRequestQuery = (tenantId: number, join_request_id: number) =>
  neededQuery(tenantId, 'joinRequests.get', { join_request_id });
