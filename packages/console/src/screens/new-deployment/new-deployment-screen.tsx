import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { cloudsQuery } from '../../api/queries.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Filters } from '../../ui/list/filters.js';
import { ByocOrder } from './byoc-order.js';
import { ManagedOrder } from './managed-order.js';
import styles from './new-deployment.module.css';
import type { Kind, OrderSearch } from './search.js';
import { usePlaces, FIRST_REGION, useOpening, useRegions, type OrderProps } from './use-order.js';
import { RequestForm } from '../../request/request-form.js';
import { usd } from '../../lib/usd.js';

const ORDERS = { free: FreeOrder, managed: ManagedOrder, byoc: ByocOrder };
const TITLES: Readonly<Record<Kind, string>> = {
  free: 'Free: one node',
  managed: 'Managed: a cluster of three nodes',
  byoc: 'In your own cloud account',
};

/** Orders a deployment. The price, and the order as a command, JSON and HCL, follow each choice. */
export function NewDeploymentScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/new' });
  const search = useSearch({ from: '/signed-in/t/$tenantId/new' });
  const { kind = 'free', cloud = 'aws' } = search;
  const { places, place } = usePlaces(tenantId, search);
  const { data: clouds = [] } = useQuery(cloudsQuery(tenantId));
  const environments = places.map(({ division, environment }) => ({
    ...{ value: String(environment.id), label: `${division.name} / ${environment.name}` },
  }));
  const Order = ORDERS[kind];
  return (
    <>
      <TenantHead title="New deployment" />
      <KindLinks tenantId={tenantId} search={search} />
      <Filters
        fields={[
          { name: 'environment', label: 'Environment', choices: environments, isRequired: true },
          {
            ...{ name: 'cloud', label: 'Cloud', isRequired: true },
            choices: clouds.map(({ key, name }) => ({ value: key, label: name })),
          },
        ]}
        values={{ ...search, environment: place?.environment.id, cloud }}
      />
      {place ? (
        <Order {...{ tenantId, place, cloud, search }} />
      ) : (
        <p>
          The organization has no environment.{' '}
          <Link to="/t/$tenantId/divisions" params={{ tenantId }}>
            Create an environment first.
          </Link>
        </p>
      )}
    </>
  );
}

const KindLinks = ({ tenantId, search }: { tenantId: number; search: OrderSearch }) => (
  <nav className={styles['kinds']} aria-label="Kinds of deployments">
    {(Object.entries(TITLES) as [Kind, string][]).map(([kind, title]) => (
      <Link
        key={kind}
        to="/t/$tenantId/new"
        params={{ tenantId }}
        search={{ ...search, kind }}
        {...(kind === (search.kind ?? 'free') && { 'aria-current': 'page' })}
      >
        {title}
      </Link>
    ))}
  </nav>
);

/** A broker with one node, without a price. */
function FreeOrder({ tenantId, place, cloud }: OrderProps) {
  const regions = useRegions(tenantId, cloud);
  const open = useOpening(tenantId);
  const ids = { division_id: place.division.id };
  return (
    <RequestForm
      {...{ tenantId, ids }}
      scope={{ ...ids, environment_id: place.environment.id }}
      request="deployments.createStarter"
      fields={['deployment_name', 'region']}
      own={{
        deployment_name: { label: 'Name', hint: 'Without a name, the installation chooses one.' },
        region: { hint: '', choices: regions },
      }}
      initial={{ region: FIRST_REGION[cloud] }}
      fixed={{ cloud, environment_id: place.environment.id }}
      action="Create the deployment"
      onDone={open}
    >
      {() => <p className={styles['price']}>{usd(0)} a month</p>}
    </RequestForm>
  );
}
