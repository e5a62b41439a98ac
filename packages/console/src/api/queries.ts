import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from './client.js';
import { neededQuery, readQuery, type InputOf } from './read.js';

/** A list that changes without a request of this tab is read again so often. */
const LIST_MS = 10_000;

/** The filter of the API. */
export type DeploymentsFilter = Omit<InputOf<'deployments.listAll'>, 'page' | 'results'>;

export const deploymentsQuery = (tenantId: number, page: number, filter: DeploymentsFilter) => ({
  ...neededQuery(tenantId, 'deployments.listAll', { page, ...filter }),
  refetchInterval: LIST_MS,
});

export const structureQuery = (tenantId: number) => neededQuery(tenantId, 'tenants.getStructure', {});

/** What runs inside: nodes, endpoints and configurations, from the Supervisor. */
export const runtimeQuery = (tenantId: number, deploymentId: number) => ({
  ...readQuery(tenantId, 'runtime.get', { deployment_id: deploymentId }),
  refetchInterval: LIST_MS,
});

/** Read only when a person reveals the login, and forgotten with the page: each read is audited. */
export const credentialsQuery = (tenantId: number, deploymentId: number) => ({
  ...readQuery(tenantId, 'runtime.getCredentials', { deployment_id: deploymentId }),
  ...{ enabled: false, gcTime: 0, staleTime: Infinity },
});

export const cloudsQuery = (tenantId: number) => neededQuery(tenantId, 'catalog.listClouds', {});

export const regionsQuery = (tenantId: number, cloud: 'aws' | 'gcp') =>
  neededQuery(tenantId, 'catalog.listRegions', { cloud });

export const operationQuery = (tenantId: number, operationId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'operation', operationId],
    queryFn: (): Promise<Main.OperationView> => landlordOf(tenantId).operation(operationId).get(),
  });
