import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { sessionChanged } from '../../api/session.js';
import { CodeRequest } from '../../request/code-request.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { NewOwner } from './new-owner.js';

/** The organization itself: its name, who may join, its owner, and its end. */
export function SettingsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/settings' });
  const { data: tenant, error } = useQuery(readQuery(tenantId, 'tenants.get', {}));
  return (
    <>
      <TenantHead title="Settings of the organization" />
      {error && <Problem error={error} />}
      <Section title="General">
        {tenant && (
          <RequestForm
            tenantId={tenantId}
            request="tenants.update"
            own={{ protected: { label: 'Protected from deletion' }, description: { isMultiline: true } }}
            record={{ ...tenant }}
            action="Save"
          />
        )}
      </Section>
      <JoinRules tenantId={tenantId} />
      <NewOwner tenantId={tenantId} />
      {tenant && <Deletion tenantId={tenantId} isProtected={tenant.protected} />}
    </>
  );
}

function Deletion({ tenantId, isProtected }: { tenantId: number; isProtected: boolean }) {
  const navigate = useNavigate();
  return (
    <Section title="Delete the organization">
      <p>The organization ends with all its divisions, deployments, keys and data. Nobody can undo this.</p>
      {isProtected && <CodeRequest tenantId={tenantId} action="delete_tenant" />}
      <RequestForm
        tenantId={tenantId}
        request="tenants.delete"
        {...(!isProtected && { fields: [] })}
        own={{ code: { label: 'Code from the mail', hint: 'The organization is protected.', isRequired: true } }}
        action="Delete the organization"
        kind="danger"
        question="Delete the organization with everything in it?"
        onDone={async () => {
          await sessionChanged();
          await navigate({ to: '/' });
        }}
      />
    </Section>
  );
}

/** Who may join with an address of the organization's domain, and who may be invited. */
function JoinRules({ tenantId }: { tenantId: number }) {
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
