import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { deploymentQuery } from '../api/queries/deployment.js';
import { refusalQuery, type Permission } from '../api/queries/permissions.js';
import { queryClient } from '../api/query-client.js';
import { idsOf, signedInRoute } from './base.js';

/** The head of all screens of a deployment. */
export const deploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/deployments/$deploymentId',
  params: idsOf('tenantId', 'deploymentId'),
  loader: ({ params: { tenantId, deploymentId } }) =>
    queryClient.ensureQueryData(deploymentQuery(tenantId, deploymentId)),
  component: lazyRouteComponent(() => import('../screens/deployment/deployment-layout.js'), 'DeploymentLayout'),
});

interface DeploymentIds {
  tenantId: number;
  deploymentId: number;
}

/** Reads what the buttons of a screen need, before the screen appears. Without an answer the buttons stay on. */
export async function readRefusals(
  { tenantId, deploymentId }: DeploymentIds,
  ...permissions: Permission[]
): Promise<void> {
  const { deployment } = await queryClient.ensureQueryData(deploymentQuery(tenantId, deploymentId));
  const reads = permissions.map((one) => refusalQuery(tenantId, deployment, one));
  await Promise.all(reads.map((read) => queryClient.prefetchQuery(read)));
}
