import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import { Code } from '../../ui/text/code.js';
import { Facts } from '../../ui/text/facts.js';
import type { Cloud } from './search.js';
import { FIRST_REGION, useRegions } from './use-order.js';

interface ByocSetupProps {
  tenantId: number;
  ids: { division_id: number; environment_id: number };
  cloud: Cloud;
}

/** What the organization must create in its account first: a role, its permissions and the trust. */
export function ByocSetup({ tenantId, ids, cloud }: ByocSetupProps) {
  const regions = useRegions(tenantId, cloud);
  const [setup, setSetup] = useState<Main.ByocSetupView | null>(null);
  return (
    <>
      <RequestForm<Main.ByocSetupView>
        {...{ tenantId, ids, scope: ids }}
        request="deployments.getByocSetup"
        fields={['region']}
        own={{ region: { hint: '', choices: regions } }}
        initial={{ region: FIRST_REGION[cloud] }}
        fixed={{ cloud }}
        action="Show what to prepare"
        onDone={setSetup}
      />
      {setup && <Prepared setup={setup} />}
    </>
  );
}

const Prepared = ({ setup }: { setup: Main.ByocSetupView }) => (
  <div role="status">
    <Facts
      values={{
        'Account of Landlord': setup.service_org_id ?? null,
        'External id': <code>{setup.external_id}</code>,
        'Service account': setup.service_account_email ?? null,
      }}
    />
    {setup.trust_policy && <Code label="Trust policy" text={JSON.stringify(setup.trust_policy, null, 2)} />}
    {setup.permissions_policy && (
      <Code label="Permissions policy" text={JSON.stringify(setup.permissions_policy, null, 2)} />
    )}
    {setup.steps?.map(({ title, description, command }) => (
      <section key={title}>
        <h3>{title}</h3>
        <p>{description}</p>
        <Code label={title} text={command} />
      </section>
    ))}
  </div>
);
