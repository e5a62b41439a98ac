import type { Main } from '@landlord/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../api/client.js';
import { accountQuery } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf, Problem } from '../../ui/problem.js';

interface OfferOwnershipProps {
  tenantId: number;
  members: readonly Main.MemberView[];
}

/** The owner offers the organization to another member, with a code from the own mailbox. */
export function OfferOwnership({ tenantId, members }: OfferOwnershipProps) {
  const { data: account } = useQuery(accountQuery);
  const [member, setMember] = useState('');
  const [code, setCode] = useState('');
  const offer = useMutation({
    mutationFn: () => landlordOf(tenantId).ownershipTransfers.offer({ member_id: Number(member), code: code.trim() }),
    onSuccess: () => setCode(''),
  });
  const isOwner = account?.tenants.some(({ id, owner }) => id === tenantId && owner) ?? false;
  const refusal = isOwner ? memberMissing(member) : 'Only the owner offers the organization.';
  const others = members.filter(({ owner, active }) => active && !owner);
  const choices = others.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }));
  const issues = issuesOf(offer.error);
  const chosen = { label: 'Member', name: 'member', value: member, onChange: setMember, issue: issues['member_id'] };
  const typed = { label: 'Code', name: 'code', autoComplete: 'one-time-code', value: code, onChange: setCode };
  return (
    <details>
      <summary>Offer the organization to another member</summary>
      <p>The member gets a mail. After an acceptance, the member is the owner and you are an admin.</p>
      <Form action="Offer the organization" kind="danger" send={offer} disabledReason={refusal ?? codeMissing(code)}>
        <SelectField {...chosen} choices={[{ value: '', label: 'Choose a member' }, ...choices]} />
        <MailCode tenantId={tenantId} memberId={Number(member)} refusal={refusal} />
        <TextField {...typed} issue={issues['code']} />
        {offer.isSuccess && <p role="status">The organization is offered.</p>}
      </Form>
    </details>
  );
}

const memberMissing = (member: string): string | null => (member === '' ? 'Choose a member first.' : null);
const codeMissing = (code: string): string | null => (code.trim() === '' ? 'Type the code first.' : null);

interface MailCodeProps {
  tenantId: number;
  memberId: number;
  refusal: string | null;
}

function MailCode({ tenantId, memberId, refusal }: MailCodeProps) {
  const action: Main.ProtectedActionDto = {
    action_type: 'transfer_tenant',
    payload: { tenant_id: tenantId, member_id: memberId },
  };
  const mail = useMutation({ mutationFn: () => landlordOf(tenantId).protectionCodes.request({ action }) });
  return (
    <div>
      <Button isBusy={mail.isPending} disabledReason={refusal} onPress={() => mail.mutate()}>
        Mail a code
      </Button>
      {mail.isSuccess && <p role="status">A code was mailed to you.</p>}
      {mail.error && <Problem error={mail.error} />}
    </div>
  );
}
