import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Facts } from '../../ui/facts.js';
import { TextField } from '../../ui/form/field.js';
import { List } from '../../ui/list.js';
import { Section } from '../../ui/section.js';
import { CHARGES } from './charges.js';
import { Reports } from './reports.js';
import styles from './billing.module.css';

/** What the deployments used and cost between two days, and the reports of the months. */
export function UsageScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/usage' });
  const { page = 1, from, to } = useSearch({ from: '/signed-in/t/$tenantId/usage' });
  const usage = useQuery(readQuery(tenantId, 'usage.list', { page, ...(from && { from }), ...(to && { to }) }));
  return (
    <>
      <TenantHead title="Usage" />
      <Days from={from} to={to} />
      {usage.data && (
        <Facts
          of={[
            ['From', usage.data.from],
            ['To', usage.data.to],
            ['Compute', `${usage.data.compute_hours} hours, ${usage.data.compute_usd} USD`],
            ['Storage', `${usage.data.storage_gb_hours} GB hours, ${usage.data.storage_usd} USD`],
            ['Transfer', `${usage.data.transfer_gb} GB, ${usage.data.transfer_usd} USD`],
            ['Total', <strong>{usage.data.total_usd} USD</strong>],
          ]}
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

interface DaysProps {
  from: string | undefined;
  to: string | undefined;
}

/** The days are in the address. */
function Days({ from, to }: DaysProps) {
  const navigate = useNavigate();
  const go = (next: { from?: string | undefined; to?: string | undefined }): void =>
    void navigate({
      to: '.',
      search: { ...(next.from ? { from: next.from } : {}), ...(next.to ? { to: next.to } : {}) },
    });
  return (
    <div className={styles['days']}>
      <TextField label="From" name="from" type="date" value={from ?? ''} onChange={(day) => go({ from: day, to })} />
      <TextField label="To" name="to" type="date" value={to ?? ''} onChange={(day) => go({ from, to: day })} />
    </div>
  );
}
