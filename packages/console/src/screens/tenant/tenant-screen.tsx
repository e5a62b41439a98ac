import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { deploymentsQuery, structureQuery, type DeploymentsFilter } from '../../api/queries.js';
import { FILTERS } from '../../generated/values.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonLink } from '../../ui/button-link.js';
import { choicesOf, Filters, LONGEST, LONGEST_REGION } from '../../ui/list/filters.js';
import { DeploymentsTable } from './deployments-table.js';
import { Health } from './health.js';
import { RequestButton } from '../../request/request-button.js';
import { FIRST_REGION, useOpening, usePlaces } from '../new-deployment/use-order.js';
import styles from './tenant.module.css';

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

/** The page of an organization without a deployment: one click creates a broker with the default choices. */
function FirstDeployment({ tenantId }: { tenantId: number }) {
  const { place } = usePlaces(tenantId, {});
  const open = useOpening(tenantId);
  return (
    <div className={styles['empty']}>
      <h2>No deployment yet</h2>
      <p>A Free deployment is a broker with one node. The deployment is ready in a few seconds and costs nothing.</p>
      <RequestButton
        tenantId={tenantId}
        request="deployments.createStarter"
        ids={{ division_id: place?.division.id ?? 0 }}
        input={{ cloud: 'aws', region: FIRST_REGION.aws, ...(place && { environment_id: place.environment.id }) }}
        kind="primary"
        action="Create a Free deployment"
        disabledReason={place ? null : 'The organization has no environment.'}
        onDone={open}
      />
    </div>
  );
}
