import { Link } from '@tanstack/react-router';
import { useDeployment, useLastOperation } from '../use-deployment.js';
import { DeleteForm } from './delete-form.js';
import { Limits } from './limits.js';
import { NameForm } from './name-form.js';
import { Protection } from './protection.js';

/** Name, limits, protection and deletion. */
export function SettingsScreen() {
  const { tenantId, deployment, isGone } = useDeployment();
  const operation = useLastOperation();
  if (isGone)
    return (
      <p role="status">
        The deployment is deleted.{' '}
        <Link to="/t/$tenantId" params={{ tenantId }}>
          Go to the deployments
        </Link>
      </p>
    );
  if (deployment.status === 'deleting' || operation?.type === 'delete_deployment')
    return <p role="status">The deployment is being deleted.</p>;
  return (
    <>
      <NameForm />
      <Limits />
      <Protection />
      <DeleteForm />
    </>
  );
}
