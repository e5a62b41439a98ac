import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';
import { keepPrevious } from '../keep-previous.js';

const LIST_MS = 10_000;
const ON_A_PAGE = 20;

/** The filter of the API. */
export type OperationsFilter = Pick<NonNullable<Main.OperationsListData['query']>, 'type' | 'status'>;

/** The operations of a deployment, newest first. The main API also lists those that a Supervisor runs. */
export const operationsQuery = (tenantId: number, deploymentId: number, page: number, filter: OperationsFilter) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'operations', { deployment_id: deploymentId }, page, filter],
    queryFn: async (): Promise<Main.OperationPage> =>
      landlordOf(tenantId).operations.list({ deployment: deploymentId, page, results: ON_A_PAGE, ...filter }),
    refetchInterval: LIST_MS,
    placeholderData: keepPrevious(tenantId, 'operations', { deployment_id: deploymentId }),
  });
