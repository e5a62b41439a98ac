import type { Supervisor } from '@landlord/sdk';
import { written } from '../../../chart/measures.js';
import { Status } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import styles from '../deployment.module.css';
import { Described } from '../described.js';
import { DeploymentButton } from '../deployment-request.js';
import { LiveList } from '../live-list.js';
import type { Read } from '../read-problem.js';

type Backup = Supervisor.BackupView;

interface BackupsTableProps {
  list: Read<readonly Backup[]>;
}

export const BackupsTable = ({ list }: BackupsTableProps) => (
  <LiveList
    label="Backups"
    list={list}
    rows={list.data}
    columns={COLUMNS}
    keyOf={({ id }) => id}
    empty="There is no backup yet."
  />
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

const Actions = ({ id, name, status }: Backup) => (
  <div className={styles['actions']}>
    <DeploymentButton
      request="backups.restore"
      ids={{ backup_id: id }}
      action="Restore"
      question={`Replace the data of the nodes with the backup ${name}? Data that was written after the backup is lost.`}
      disabledReason={status === 'completed' ? null : 'The backup is not complete.'}
    />
    <DeploymentButton
      request="backups.delete"
      ids={{ backup_id: id }}
      action="Delete"
      question={`Delete the backup ${name}?`}
    />
  </div>
);
