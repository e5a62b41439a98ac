import type { Main, Supervisor } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from './client.js';
import { keepPrevious } from './keep-previous.js';

/** A list that changes without a request of this tab is read again so often. */
const LIST_MS = 10_000;

/** The filter of the API. */
export type DeploymentsFilter = Omit<NonNullable<Main.DeploymentsListAllData['query']>, 'page' | 'results'>;

export const deploymentsQuery = (tenantId: number, page: number, filter: DeploymentsFilter) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'deployments', page, filter],
    queryFn: async (): Promise<Main.DeploymentPage> => landlordOf(tenantId).deployments.listAll({ page, ...filter }),
    refetchInterval: LIST_MS,
    placeholderData: keepPrevious(tenantId, 'deployments'),
  });

export const structureQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'structure'],
    queryFn: () => landlordOf(tenantId).tenants.getStructure(),
  });

/** What runs inside: nodes, endpoints and configurations, from the Supervisor. */
export const runtimeQuery = (tenantId: number, deploymentId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'runtime', deploymentId],
    queryFn: (): Promise<Supervisor.DeploymentRuntimeView> =>
      landlordOf(tenantId).runtime.get({ deployment_id: deploymentId }),
    refetchInterval: LIST_MS,
    // Without its Supervisor, the rest of the page still works.
    throwOnError: false,
  });

/** Read only when a person reveals the login, and forgotten with the page: each read is audited. */
export const credentialsQuery = (tenantId: number, deploymentId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'credentials', deploymentId],
    queryFn: (): Promise<Supervisor.CredentialsView> =>
      landlordOf(tenantId).runtime.getCredentials({ deployment_id: deploymentId }),
    enabled: false,
    throwOnError: false,
    gcTime: 0,
    staleTime: Infinity,
  });

export const cloudsQuery = (tenantId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'clouds'],
    queryFn: () => landlordOf(tenantId).catalog.listClouds(),
  });

export const regionsQuery = (tenantId: number, cloud: 'aws' | 'gcp') =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'regions', cloud],
    queryFn: () => landlordOf(tenantId).catalog.listRegions({ cloud }),
    placeholderData: keepPrevious(tenantId, 'regions'),
  });

export const operationQuery = (tenantId: number, operationId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'operation', operationId],
    queryFn: (): Promise<Main.OperationView> => landlordOf(tenantId).operation(operationId).get(),
  });
