import type { Main } from '@landlord/sdk';
import { Link, useMatchRoute } from '@tanstack/react-router';
import { Status } from '../../ui/text/status.js';
import styles from './deployment.module.css';
import { useDeployment, useLastOperation } from './use-deployment.js';

/** What happens to the deployment now, above every screen but the overview, which shows all steps. */
export function OperationStrip() {
  const { tenantId, deploymentId } = useDeployment();
  const operation = useLastOperation();
  const isOn = useMatchRoute();
  const params = { tenantId, deploymentId };
  if (!operation || operation.status === 'succeeded') return null;
  if (isOn({ to: '/t/$tenantId/deployments/$deploymentId', params })) return null;
  const { id, type, status, progress, reason } = operation;
  return (
    <section className={styles['strip']} aria-label="Operation">
      <Link to="/t/$tenantId/deployments/$deploymentId/operations" params={params} search={{ operation: id }}>
        {type.replaceAll('_', ' ')}
      </Link>
      <Status of={status} isWork />
      <progress value={progress} max={100} aria-label={`Progress of operation ${id}`} />
      <span>{progress} %</span>
      <span>{reason ?? stepOf(operation)}</span>
    </section>
  );
}

const stepOf = ({ steps }: Main.OperationView): string => steps.at(-1)?.name.replaceAll('_', ' ') ?? '';
