import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { invoicesQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Pages } from '../../ui/pages.js';
import { Status } from '../../ui/status.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';

/** The invoices of an organization, newest first, each as PDF. */
export function InvoicesScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/invoices' });
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId/invoices' });
  const { data } = useSuspenseQuery(invoicesQuery(tenantId, page));
  return (
    <>
      <TenantHead title="Invoices" />
      {data.total_results === 0 ? (
        <p>There is no invoice yet. The first one follows after the end of a month with paid deployments.</p>
      ) : (
        <Table label="Invoices" columns={columnsOf(tenantId)} rows={data.items} keyOf={({ id }) => id} />
      )}
      <Pages {...data} />
    </>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.InvoiceItemView>[] => [
  {
    title: 'Month',
    cell: ({ id, month }) => (
      <Link to="/t/$tenantId/invoices/$invoiceId" params={{ tenantId, invoiceId: id }}>
        {month}
      </Link>
    ),
  },
  { title: 'Number', cell: ({ number }) => number ?? 'not issued' },
  { title: 'State', cell: ({ status }) => <Status of={status} /> },
  { title: 'Total in USD', cell: ({ total_usd }) => total_usd },
  { title: 'Due', cell: ({ due_at }) => due_at && <Time at={due_at} /> },
  {
    title: 'Document',
    // The cookie of the session opens the address.
    cell: ({ id, number }) => (
      <a href={`/tenants/${tenantId}/billing/invoices/${id}/pdf`} download>
        PDF<span hidden> of {number ?? id}</span>
      </a>
    ),
  },
];
