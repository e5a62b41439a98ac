import type { Main } from '@landlord/sdk';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { useRoleChoices } from '../members/role-choices.js';

interface JoinAnswerProps {
  tenantId: number;
  request: Main.JoinRequestView;
}

/** Approves the request with roles, or rejects it. The person gets a mail about the answer. */
export function JoinAnswer({ tenantId, request: { id, name } }: JoinAnswerProps) {
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
