import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { exactUsd } from '../../lib/usd.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Facts } from '../../ui/text/facts.js';
import { Filters } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import { CHARGES } from './charges.js';
import { Reports } from './reports.js';

const DAYS = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
] as const;

/** What the deployments used and cost between two days, and the reports of the months. */
export function UsageScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/usage' });
  const { page = 1, from, to } = useSearch({ from: '/signed-in/t/$tenantId/usage' });
  const usage = useQuery(readQuery(tenantId, 'usage.list', { page, ...(from && { from }), ...(to && { to }) }));
  return (
    <>
      <TenantHead title="Usage" />
      <Filters fields={DAYS} values={{ from, to }} />
      {usage.data && (
        <Facts
          values={{
            From: usage.data.from,
            To: usage.data.to,
            Compute: `${usage.data.compute_hours} hours, ${exactUsd(usage.data.compute_usd)}`,
            Storage: `${usage.data.storage_gb_hours} GB hours, ${exactUsd(usage.data.storage_usd)}`,
            Transfer: `${usage.data.transfer_gb} GB, ${exactUsd(usage.data.transfer_usd)}`,
            Total: <strong>{exactUsd(usage.data.total_usd)}</strong>,
          }}
        />
      )}
      <Section title="By deployment">
        <List
          label="Usage by deployment"
          query={usage}
          columns={CHARGES}
          keyOf={({ deployment }) => deployment.id}
          empty="No deployment with a price ran in this time."
        />
      </Section>
      <Reports tenantId={tenantId} />
    </>
  );
}
