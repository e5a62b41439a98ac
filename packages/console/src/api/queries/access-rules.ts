import type { Supervisor } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from '../client.js';

const LIST_MS = 10_000;

export const accessRulesQuery = (tenantId: number, deploymentId: number) =>
  queryOptions({
    queryKey: ['tenant', tenantId, 'access-rules', deploymentId],
    queryFn: (): Promise<Supervisor.AccessRuleView[]> =>
      landlordOf(tenantId).accessRules.list({ deployment_id: deploymentId }),
    refetchInterval: LIST_MS,
    throwOnError: false,
  });
