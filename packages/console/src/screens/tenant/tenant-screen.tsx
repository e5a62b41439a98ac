import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { deploymentsQuery, structureQuery } from '../../api/queries.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonLink } from '../../ui/button-link.js';
import { Pages } from '../../ui/pages.js';
import { DeploymentsTable } from './deployments-table.js';
import { Health } from './health.js';
import { FirstDeployment } from './first-deployment.js';

/** The deployments of an organization. */
export function TenantScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId' });
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId' });
  const { data: deployments } = useSuspenseQuery(deploymentsQuery(tenantId, page));
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  const order = (
    <ButtonLink to="/t/$tenantId/new" params={{ tenantId }}>
      New deployment
    </ButtonLink>
  );
  return (
    <>
      <TenantHead title={<bdi>{structure.name}</bdi>} action={order} />
      {deployments.total_results === 0 ? (
        <FirstDeployment tenantId={tenantId} />
      ) : (
        <>
          <Health tenantId={tenantId} />
          <DeploymentsTable tenantId={tenantId} deployments={deployments.items} structure={structure} />
        </>
      )}
      <Pages {...deployments} />
    </>
  );
}
