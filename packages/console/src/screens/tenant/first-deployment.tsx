import { RequestButton } from '../../request/request-button.js';
import { FIRST_REGION, useOpening, usePlaces } from '../new-deployment/use-order.js';
import styles from './tenant.module.css';

/** The page of an organization without a deployment: one click creates a broker with the default choices. */
export function FirstDeployment({ tenantId }: { tenantId: number }) {
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
