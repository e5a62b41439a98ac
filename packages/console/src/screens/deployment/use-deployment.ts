import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deploymentQuery } from '../../api/queries.js';
import { missingPermissionsQuery, refusalOf, type Permission } from '../../api/queries/permissions.js';
import { useOperation } from '../../api/use-operation.js';

/** The deployment of the address. Its screens show only what the loader of their common route has read. */
export function useDeployment() {
  const { tenantId, deploymentId } = useParams({ from: '/signed-in/t/$tenantId/deployments/$deploymentId' });
  const { data } = useSuspenseQuery(deploymentQuery(tenantId, deploymentId));
  return { tenantId, deploymentId, ...data };
}

/** Why the caller may not do what needs the permission. Null: the caller may, or the API has not said yet. */
export function useRefusal(permission: Permission): string | null {
  const { tenantId, deployment } = useDeployment();
  const { data: missing = [] } = useQuery(missingPermissionsQuery(tenantId, deployment, [permission]));
  return refusalOf(missing, permission);
}

/** The running operation. It stays on the screen after its end, until the person leaves. */
export function useLastOperation() {
  const { tenantId, deployment } = useDeployment();
  const running = deployment.operation_id;
  const [last, setLast] = useState(running);
  if (running !== null && running !== last) setLast(running);
  return useOperation(tenantId, running ?? last);
}
