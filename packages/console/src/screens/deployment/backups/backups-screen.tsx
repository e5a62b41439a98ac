import { DeploymentForm } from '../deployment-request.js';
import { useNodeChoices } from '../node-filter.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';
import { BackupsTable } from './backups-table.js';
import { Schedule } from './schedule.js';

/** The backups of the deployment, a new one, and the schedule. */
export function BackupsScreen() {
  const list = useLive('backups.list', {});
  return (
    <>
      <Section title="Backups">
        <BackupsTable list={list} />
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
      own={{ node_id: { label: 'Node', hint: '', none: 'All nodes', choices } }}
      action="Take a backup"
    />
  );
}
