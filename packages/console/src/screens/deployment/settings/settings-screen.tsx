import { Link } from '@tanstack/react-router';
import { OperationSteps } from '../operation-steps.js';
import { useDeployment, useLastOperation, useRefusal } from '../use-deployment.js';
import { DeleteForm } from './delete-form.js';
import { NameForm } from './name-form.js';
import { Protection } from './protection.js';

/** Name, protection and deletion. */
export function SettingsScreen() {
  const { tenantId, deployment, isGone } = useDeployment();
  const operation = useLastOperation();
  const refusal = useRefusal('deployment:manage');
  const isLeaving = isGone || deployment.status === 'deleting' || operation?.type === 'delete_deployment';
  if (!isLeaving)
    return (
      <>
        <NameForm
          // A change of another person is in the fields, too.
          key={`${deployment.name}\n${deployment.description}`}
          refusal={refusal}
        />
        <Protection refusal={refusal} />
        <DeleteForm refusal={refusal} />
      </>
    );
  return (
    <>
      {operation && <OperationSteps operation={operation} />}
      {isGone && (
        <p role="status">
          The deployment is deleted.{' '}
          <Link to="/t/$tenantId" params={{ tenantId }}>
            Go to the deployments
          </Link>
        </p>
      )}
    </>
  );
}
