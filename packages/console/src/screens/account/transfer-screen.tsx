import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ownershipTransferQuery } from '../../api/queries/account.js';
import { Time } from '../../ui/text/time.js';
import { ReceivedPage } from './received-page.js';
import { TransferAnswer } from './transfer-answer.js';

/** The link in the mail that offers an organization opens this page. */
export function TransferScreen() {
  const { transferId } = useParams({ from: '/signed-in/account/ownership-transfers/$transferId' });
  const { data, error } = useQuery(ownershipTransferQuery(transferId));
  return (
    <ReceivedPage title="An organization is offered to you" error={error}>
      {data && (
        <>
          <p>
            <bdi>{data.owner?.name}</bdi> offers you the organization <bdi>{data.tenant?.name}</bdi>. If you accept, you
            own it, with all deployments and invoices. The offer ends at <Time at={data.expires_at} />.
          </p>
          {data.status === 'pending' ? (
            <TransferAnswer transfer={data} />
          ) : (
            <p role="status">The offer is {data.status}.</p>
          )}
        </>
      )}
    </ReceivedPage>
  );
}
