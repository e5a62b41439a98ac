import { useCreation, useOrder } from '../../order/use-order.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import styles from './tenant.module.css';

/** The page of an organization without a deployment: one click creates a broker with the default choices. */
export function FirstDeployment({ tenantId }: { tenantId: number }) {
  const { place, order } = useOrder(tenantId, 'free');
  const create = useCreation(tenantId, place, order);
  return (
    <div className={styles['empty']}>
      <h2>No deployment yet</h2>
      <p>A Free deployment is a broker with one node. The deployment is ready in a few seconds and costs nothing.</p>
      <Button
        kind="primary"
        isBusy={create.isPending}
        disabledReason={place ? null : 'The organization has no environment.'}
        onPress={() => create.mutate()}
      >
        Create a Free deployment
      </Button>
      {create.error && <Problem error={create.error} />}
    </div>
  );
}
