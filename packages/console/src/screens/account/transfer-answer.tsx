import type { Main } from '@landlord/sdk';
import { useNavigate } from '@tanstack/react-router';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { AnswerButtons } from '../../ui/answer-buttons.js';

/** Takes over an organization, or declines the offer. The new owner goes on to the organization. */
export function TransferAnswer({ transfer: { id, tenant } }: { transfer: Main.OwnershipTransferView }) {
  const navigate = useNavigate();
  const ownership_transfer_id = id;
  const accept = useAccountChange(
    () => landlord.ownershipTransfers.accept({ ownership_transfer_id }),
    () => tenant && navigate({ to: '/t/$tenantId', params: { tenantId: tenant.id } }),
  );
  const reject = useAccountChange(() => landlord.ownershipTransfers.reject({ ownership_transfer_id }));
  const question = `Decline to own ${tenant?.name ?? 'the organization'}?`;
  return <AnswerButtons yes="Own the organization" accept={accept} no="Decline" question={question} reject={reject} />;
}
