import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { joinRequestQuery } from '../../api/queries/join-requests.js';
import { TenantHead } from '../../shell/tenant-head.js';
import type { Main } from '@landlord/sdk';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { useRoleChoices } from '../members/role-choices.js';

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

interface JoinAnswerProps {
  tenantId: number;
  request: Main.JoinRequestView;
}

/** Approves the request with roles, or rejects it. The person gets a mail about the answer. */
function JoinAnswer({ tenantId, request: { id, name } }: JoinAnswerProps) {
  const ids = { join_request_id: id };
  return (
    <>
      <RequestForm
        {...{ tenantId, ids }}
        request="joinRequests.approve"
        fields={['roles']}
        own={{ roles: { choices: useRoleChoices(tenantId), hint: 'Without a role, the person is a viewer.' } }}
        action="Approve"
      />
      <RequestButton
        {...{ tenantId, ids }}
        request="joinRequests.reject"
        action="Reject"
        question={`Reject the request of ${name}?`}
      />
    </>
  );
}
