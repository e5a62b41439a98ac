import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deploymentQuery } from '../../api/queries/deployment.js';
import type { Permission } from '../../api/queries/permissions.js';
import { readQuery, type InputOf, type ReadName } from '../../api/read.js';
import { useOperation } from '../../api/use-operation.js';
import { useMissing } from '../../request/use-missing.js';

const LIVE_MS = 10_000;

/** The deployment of the address. Its screens show only what the loader of their common route has read. */
export function useDeployment() {
  const { tenantId, deploymentId } = useParams({ from: '/signed-in/t/$tenantId/deployments/$deploymentId' });
  const { data, error } = useSuspenseQuery(deploymentQuery(tenantId, deploymentId));
  // What was read before stays on the screen when a later read fails.
  return { tenantId, deploymentId, ...data, isOld: error !== null };
}

/** Why the caller may not do what needs the permission. Null: the caller may, or the API has not said yet. */
export function useRefusal(permission: Permission): string | null {
  const { tenantId, deployment } = useDeployment();
  return useMissing(tenantId, permission, deployment);
}

/**
 * A read of the deployment, repeated while its screen is open. A deployment without a Supervisor is not read.
 * @param everyMs False: only when something changes in this tab
 */
export function useLive<Name extends ReadName>(
  name: Name,
  input: Omit<InputOf<Name>, 'deployment_id'>,
  everyMs: number | false = LIVE_MS,
) {
  const { tenantId, deploymentId, deployment, isGone } = useDeployment();
  return useQuery({
    ...readQuery(tenantId, name, { ...input, deployment_id: deploymentId } as unknown as InputOf<Name>),
    refetchInterval: everyMs,
    enabled: deployment.supervisor_url !== null && !isGone,
  });
}

/** The running operation. It stays on the screen after its end, until the person leaves. */
export function useLastOperation() {
  const { tenantId, deployment } = useDeployment();
  const running = deployment.operation_id;
  const [last, setLast] = useState(running);
  if (running !== null && running !== last) setLast(running);
  return useOperation(tenantId, running ?? last);
}
