import { RequestForm } from '../../request/request-form.js';
import { usd } from '../../lib/usd.js';
import styles from './new-deployment.module.css';
import { FIRST_REGION, useOpening, useRegions, type OrderProps } from './use-order.js';

/** A broker with one node, without a price. */
export function FreeOrder({ tenantId, place, cloud }: OrderProps) {
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
