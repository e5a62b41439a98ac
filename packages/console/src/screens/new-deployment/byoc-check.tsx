import type { Supervisor } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { structureQuery } from '../../api/queries.js';
import { RequestForm } from '../../request/request-form.js';
import type { Input } from '../../request/shape.js';
import { Facts } from '../../ui/text/facts.js';
import type { Cloud } from './search.js';
import { FIRST_REGION, useRegions } from './use-order.js';

interface ByocCheckProps {
  tenantId: number;
  ids: { division_id: number; environment_id: number };
  cloud: Cloud;
  initial: Input;
}

const FIELDS: Readonly<Record<Cloud, readonly string[]>> = {
  aws: ['region', 'account_id', 'identity_arn', 'external_id', 'vpc_id'],
  gcp: ['region', 'project_id', 'service_account_email', 'vpc_name'],
};

/** Asks a Supervisor whether it can work in the account. */
export function ByocCheck({ tenantId, ids, cloud, initial }: ByocCheckProps) {
  const supervisorUrl = useSupervisor(tenantId);
  const regions = useRegions(tenantId, cloud);
  const [verdict, setVerdict] = useState<Supervisor.AccountVerdictView | null>(null);
  return (
    <>
      <RequestForm<Supervisor.AccountVerdictView>
        {...{ tenantId, ids, scope: ids, supervisorUrl }}
        request="byoc.validate"
        fields={FIELDS[cloud]}
        own={{
          region: { hint: '', choices: regions },
          account_id: { label: 'AWS account' },
          identity_arn: { label: 'ARN of the role' },
          vpc_name: { label: 'VPC network' },
        }}
        initial={{ region: FIRST_REGION[cloud], ...initial }}
        fixed={{ cloud }}
        disabledReason={
          supervisorUrl === undefined
            ? 'The check needs the Supervisor of a first deployment. The order checks, too.'
            : null
        }
        action="Check"
        onDone={setVerdict}
      />
      {verdict && <Verdict verdict={verdict} />}
    </>
  );
}

/** Any Supervisor of the organization can check. */
function useSupervisor(tenantId: number): string | undefined {
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  return structure.divisions
    .flatMap(({ environments }) => environments.flatMap(({ deployments }) => deployments))
    .flatMap(({ supervisor_url: url }) => url ?? [])[0];
}

const Verdict = ({
  verdict: { valid, error, missing_permissions: missing },
}: {
  verdict: Supervisor.AccountVerdictView;
}) => (
  <div role="status">
    <Facts
      values={{
        Result: valid ? 'Landlord can work in the account.' : 'Landlord cannot work in the account.',
        Reason: error ?? null,
        'Missing permissions': missing.length > 0 ? missing.join(', ') : null,
      }}
    />
  </div>
);
