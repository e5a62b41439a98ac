import type { Main } from '@landlord/sdk';
import { useNavigate } from '@tanstack/react-router';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { AnswerButtons } from '../../ui/answer-buttons.js';

/** Accepts or declines an invitation. A member goes on to the organization. */
export function InvitationAnswer({ invitation: { id, tenant } }: { invitation: Main.ReceivedInvitationView }) {
  const navigate = useNavigate();
  const invitation_id = id;
  const accept = useAccountChange(
    () => landlord.receivedInvitations.accept({ invitation_id }),
    () => navigate({ to: '/t/$tenantId', params: { tenantId: tenant.id } }),
  );
  const reject = useAccountChange(() => landlord.receivedInvitations.reject({ invitation_id }));
  const question = `Decline the invitation to ${tenant.name}?`;
  return <AnswerButtons yes="Accept" accept={accept} no="Decline" question={question} reject={reject} />;
}
