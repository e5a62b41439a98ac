import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { CodeRequest } from '../../request/code-request.js';
import { RequestForm } from '../../request/request-form.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Section } from '../../ui/section.js';

/** Offers the organization to another member. */
export function NewOwner({ tenantId }: { tenantId: number }) {
  const { data: members } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const choices = (members?.items ?? [])
    .filter(({ owner, active }) => !owner && active)
    .map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }));
  return (
    <Section title="Owner">
      <Disclosure title="Give the organization to another member">
        <p>The member gets a mail, and is the owner after accepting. You stay a member.</p>
        <CodeRequest tenantId={tenantId} action="transfer_tenant" />
        <RequestForm
          tenantId={tenantId}
          request="ownershipTransfers.offer"
          fields={['member_id', 'code']}
          own={{
            member_id: { label: 'New owner', choices },
            code: { label: 'Code from the mail', isRequired: true },
          }}
          action="Offer the organization"
        />
      </Disclosure>
    </Section>
  );
}
