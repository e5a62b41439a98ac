import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../../api/read.js';
import { Button } from '../../../ui/button.js';
import { Problem } from '../../../ui/problem.js';
import { useDeployment } from '../use-deployment.js';

interface DownloadProps {
  snapshotId: number;
  isReady: boolean;
}

/** An address of the archive, only on request: everybody with the address can read the archive. */
export function Download({ snapshotId, isReady }: DownloadProps) {
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
