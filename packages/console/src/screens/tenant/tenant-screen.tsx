import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { deploymentsQuery, structureQuery, type DeploymentsFilter } from '../../api/queries.js';
import { FILTERS } from '../../generated/values.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonLink } from '../../ui/button-link.js';
import { choicesOf, Filters, LONGEST, LONGEST_REGION } from '../../ui/list/filters.js';
import { DeploymentsTable } from './deployments-table.js';
import { FirstDeployment } from './first-deployment.js';
import { Health } from './health.js';

const { status, cloud, tier } = FILTERS['deployments.listAll'];
const FIELDS = [
  { name: 'name', label: 'Name', longest: LONGEST },
  { name: 'status', label: 'Status', choices: choicesOf(status) },
  { name: 'cloud', label: 'Cloud', choices: choicesOf(cloud) },
  { name: 'region', label: 'Region', longest: LONGEST_REGION },
  { name: 'tier', label: 'Tier', choices: choicesOf(tier) },
];

/** The deployments of an organization. */
export function TenantScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId' });
  const { page = 1, ...filter } = useSearch({ from: '/signed-in/t/$tenantId' });
  const deployments = useQuery(deploymentsQuery(tenantId, page, filter as DeploymentsFilter));
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  const isNew = deployments.data?.total_results === 0 && Object.keys(filter).length === 0;
  const order = (
    <ButtonLink to="/t/$tenantId/new" params={{ tenantId }}>
      New deployment
    </ButtonLink>
  );
  return (
    <>
      <TenantHead title={<bdi>{structure.name}</bdi>} action={order} />
      {isNew ? (
        <FirstDeployment tenantId={tenantId} />
      ) : (
        <>
          <Health tenantId={tenantId} />
          <Filters fields={FIELDS} values={filter} />
          <DeploymentsTable tenantId={tenantId} query={deployments} structure={structure} />
        </>
      )}
    </>
  );
}
