import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { accountQuery } from '../../api/session.js';
import { CodeRequest } from '../../request/code-request.js';
import { RequestForm } from '../../request/request-form.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Section } from '../../ui/section.js';

/** Offers the organization to another member. */
export function NewOwner({ tenantId }: { tenantId: number }) {
  const { data: account } = useQuery(accountQuery);
  const { data: members } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const isOwner = account?.tenants.some(({ id, owner }) => id === tenantId && owner) ?? false;
  const refusal = isOwner ? null : 'Only the owner offers the organization.';
  const choices = (members?.items ?? []).filter(({ owner, active }) => !owner && active).map(choiceOf);
  return (
    <Section title="Owner">
      <Disclosure title="Offer the organization to another member">
        <p>The member gets a mail, and is the owner after accepting. You stay a member.</p>
        <RequestForm
          tenantId={tenantId}
          request="ownershipTransfers.offer"
          fields={['member_id', 'code']}
          own={{
            member_id: { label: 'Member', choices },
            code: {
              label: 'Code',
              hint: 'From the mail. Choose the member before you ask for the code.',
              isRequired: true,
            },
          }}
          disabledReason={refusal}
          action="Offer the organization"
          done="The organization is offered."
        >
          {({ member_id: member }) => (
            <CodeRequest
              tenantId={tenantId}
              action="transfer_tenant"
              ids={{ member_id: Number(member) }}
              disabledReason={refusal ?? (member === '' ? 'Choose a member first.' : null)}
            />
          )}
        </RequestForm>
      </Disclosure>
    </Section>
  );
}

const choiceOf = ({ id, name, email }: Main.MemberView) => ({ value: String(id), label: `${name} (${email})` });
