import { useQuery } from '@tanstack/react-query';
import { accessRulesQuery } from '../../../api/queries/access-rules.js';
import { Problem } from '../../../ui/problem.js';
import styles from '../deployment.module.css';
import { useDeployment, useRefusal } from '../use-deployment.js';
import { AddRule } from './add-rule.js';
import { RulesTable } from './rules-table.js';

/** From which addresses clients may connect. */
export function AccessScreen() {
  const { tenantId, deploymentId } = useDeployment();
  const refusal = useRefusal('deployment:access:manage');
  const rules = useQuery(accessRulesQuery(tenantId, deploymentId));
  return (
    <>
      <section className={styles['section']} aria-labelledby="rules">
        <h2 id="rules">Access rules</h2>
        {rules.error && <Problem error={rules.error} onRetry={() => void rules.refetch()} />}
        {rules.data?.length === 0 && <p>No client can connect, because there is no access rule.</p>}
        {rules.data && rules.data.length > 0 && <RulesTable rules={rules.data} refusal={refusal} />}
      </section>
      <AddRule refusal={refusal} />
    </>
  );
}
