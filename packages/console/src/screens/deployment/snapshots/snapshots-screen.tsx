import { useSearch } from '@tanstack/react-router';
import { Status } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import type { Supervisor } from '@landlord/sdk';
import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import { NodeFilter } from '../node-filter.js';
import { Section } from '../../../ui/section.js';
import { useLive, useDeployment } from '../use-deployment.js';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../../api/read.js';
import { Button } from '../../../ui/button.js';
import { Problem } from '../../../ui/problem.js';

type Snapshot = Supervisor.SnapshotView;

/** Diagnostic data of the nodes. */
export function SnapshotsScreen() {
  const { page = 1, node } = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/snapshots' });
  const list = useLive('snapshots.list', { page, ...(node !== undefined && { node }) });
  return (
    <>
      <Section title="Snapshots">
        <NodeFilter node={node} />
        <List label="Snapshots" query={list} columns={COLUMNS} keyOf={({ id }) => id} empty="There is no snapshot." />
      </Section>
      <Section title="New snapshot">
        <p>A snapshot collects a report, the last lines of all logs, and facts of every node that responds.</p>
        <DeploymentForm
          request="snapshots.create"
          own={{
            redact_secrets: { label: 'Mask secrets' },
            include_iggy: { label: 'Add the data of the brokers' },
          }}
          initial={{ redact_secrets: true, include_iggy: true }}
          action="Take a snapshot"
        />
      </Section>
    </>
  );
}

const COLUMNS: readonly Column<Snapshot>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Status', cell: ({ status }) => <Status of={status} isWork /> },
  { title: 'Taken', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Archive', cell: ({ id, status }) => <Download snapshotId={id} isReady={status === 'completed'} /> },
  {
    title: 'Delete',
    cell: ({ id, name, status }) => (
      <DeploymentButton
        request="snapshots.delete"
        ids={{ snapshot_id: id }}
        action="Delete"
        question={`Delete the snapshot ${name}?`}
        disabledReason={status === 'completed' ? null : 'The snapshot is being taken.'}
      />
    ),
  },
];

interface DownloadProps {
  snapshotId: number;
  isReady: boolean;
}

/** An address of the archive, only on request: everybody with the address can read the archive. */
function Download({ snapshotId, isReady }: DownloadProps) {
  const { tenantId, deploymentId } = useDeployment();
  const link = useQuery({
    ...readQuery(tenantId, 'snapshots.download', { deployment_id: deploymentId, snapshot_id: snapshotId }),
    ...{ enabled: false, gcTime: 0, staleTime: Infinity },
  });
  return (
    <>
      <Button
        isBusy={link.isFetching}
        disabledReason={isReady ? null : 'The snapshot is being taken.'}
        onPress={() => void link.refetch()}
      >
        Make a link
      </Button>
      {link.data && (
        <div>
          <a href={link.data.url} download>
            Download
          </a>{' '}
          within five minutes
        </div>
      )}
      {link.error && <Problem error={link.error} />}
    </>
  );
}
