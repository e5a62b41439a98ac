import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { joinRequestQuery } from '../../api/queries/join-requests.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { JoinAnswer } from './join-answer.js';

/** The link of the mail to the owner opens this page: approve or reject a person who asks to join. */
export function JoinRequestScreen() {
  const { tenantId, joinRequestId } = useParams({ from: '/signed-in/t/$tenantId/join-requests/$joinRequestId' });
  const { data } = useSuspenseQuery(joinRequestQuery(tenantId, joinRequestId));
  return (
    <>
      <TenantHead title="A request to join" />
      <p>
        <bdi>{data.name}</bdi> (<bdi>{data.email}</bdi>) asks to join. The address is verified, and belongs to a domain
        of the organization.
      </p>
      {data.status === 'pending' ? (
        <JoinAnswer tenantId={tenantId} request={data} />
      ) : (
        <p role="status">The request is {data.status}.</p>
      )}
      <p>
        <Link to="/t/$tenantId/members" params={{ tenantId }}>
          Go to the members
        </Link>
      </p>
    </>
  );
}
