import { Link } from '@tanstack/react-router';
import { DeploymentForm } from '../deployment-request.js';
import { useNodeChoices } from '../node-filter.js';
import { Section } from '../../../ui/section.js';
import { useDeployment, useLive } from '../use-deployment.js';
import { BackupsTable } from './backups-table.js';
import { Schedule } from './schedule.js';

/** The backups of the deployment, a new one, and the schedule. */
export function BackupsScreen() {
  const list = useLive('backups.list', {});
  return (
    <>
      <Section title="Backups">
        <BackupsTable list={list} />
        <RestoreElsewhere />
      </Section>
      <Section title="New backup">
        <NewBackup />
      </Section>
      <Schedule />
    </>
  );
}

function NewBackup() {
  const choices = useNodeChoices();
  return (
    <DeploymentForm
      request="backups.create"
      fields={['name', 'node_id', 'remarks', 'expires_in_days']}
      own={{ node_id: { label: 'Node', choices } }}
      action="Take a backup"
    />
  );
}

/** A new deployment can begin with a backup. Its order names the backup. */
function RestoreElsewhere() {
  const { tenantId, deploymentId } = useDeployment();
  return (
    <p>
      An order of a managed deployment can begin with a backup: it names the deployment {deploymentId} and the number of
      the backup in <code>restore_from</code>.{' '}
      <Link to="/t/$tenantId/new" params={{ tenantId }} search={{ kind: 'managed' }}>
        Order a deployment
      </Link>
    </p>
  );
}
