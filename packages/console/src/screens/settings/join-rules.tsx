import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { RequestForm } from '../../request/request-form.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';

/** Who may join with an address of the organization's domain, and who may be invited. */
export function JoinRules({ tenantId }: { tenantId: number }) {
  const { data: config, error } = useQuery(readQuery(tenantId, 'tenantConfig.get', {}));
  return (
    <Section title="Who may join">
      {error && <Problem error={error} />}
      {config && (
        <>
          <p>
            {config.email_domain === undefined
              ? 'The organization has no domain. The domain comes with the first member who proves a company address.'
              : `The domain of the organization is ${config.email_domain}.`}
          </p>
          <RequestForm
            tenantId={tenantId}
            request="tenantConfig.update"
            own={{
              block_external_invitations: { label: 'Other organizations may not invite people of the domain' },
              enforce_domain_only_invitations: { label: 'Only people of the domain may be invited' },
            }}
            record={{ ...config }}
            action="Save the rules"
          />
        </>
      )}
    </Section>
  );
}
