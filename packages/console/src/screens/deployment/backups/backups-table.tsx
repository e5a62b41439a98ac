import type { Supervisor } from '@landlord/sdk';
import { written } from '../../../chart/measures.js';
import { Status } from '../../../ui/text/status.js';
import { Link } from '@tanstack/react-router';
import { ButtonRow } from '../../../ui/button-row.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { Described } from '../described.js';
import { DeploymentButton } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import { useDeployment } from '../use-deployment.js';
import type { Read } from '../../../ui/read-problem.js';

type Backup = Supervisor.BackupView;

interface BackupsTableProps {
  list: Read<readonly Backup[]>;
}

export const BackupsTable = ({ list }: BackupsTableProps) => (
  <List label="Backups" query={list} columns={COLUMNS} keyOf={({ id }) => id} empty="There is no backup yet." />
);

const COLUMNS: readonly Column<Backup>[] = [
  { title: 'Number', cell: ({ id }) => id },
  { title: 'Name', cell: ({ name, remarks }) => <Described name={name} remarks={remarks} /> },
  { title: 'Status', cell: ({ status }) => <Status of={status} isWork /> },
  { title: 'Type', cell: ({ backup_type }) => backup_type.replaceAll('_', ' ') },
  { title: 'Size', cell: ({ size_bytes }) => written(size_bytes, 'bytes') },
  { title: 'Taken', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Actions', cell: (backup) => <Actions {...backup} /> },
];

const Actions = (backup: Backup) => (
  <ButtonRow>
    <OrderFrom {...backup} />
    <DeploymentButton
      request="backups.restore"
      ids={{ backup_id: backup.id }}
      action="Restore"
      question={`Replace the data of the nodes with the backup ${backup.name}? Data that was written after the backup is lost.`}
      disabledReason={backup.status === 'completed' ? null : 'The backup is not complete.'}
    />
    <DeploymentButton
      request="backups.delete"
      ids={{ backup_id: backup.id }}
      action="Delete"
      question={`Delete the backup ${backup.name}?`}
    />
  </ButtonRow>
);

/** An order of a managed deployment can begin with a complete backup. */
function OrderFrom({ id, status }: Backup) {
  const { tenantId, deploymentId } = useDeployment();
  if (status !== 'completed') return null;
  return (
    <Link
      to="/t/$tenantId/new"
      params={{ tenantId }}
      search={{ kind: 'managed', restore: String(deploymentId), backup: String(id) }}
    >
      New deployment from this backup
    </Link>
  );
}
