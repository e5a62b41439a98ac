import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { invoicesQuery } from '../../api/queries/organization.js';
import { usd } from '../../lib/usd.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { FILTERS } from '../../generated/values.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import { Status } from '../../ui/text/status.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';

const STATES = [{ name: 'status', label: 'State', choices: choicesOf(FILTERS['invoices.list'].status) }];

/** The invoices of an organization, newest first, each as PDF. */
export function InvoicesScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/invoices' });
  const { page = 1, status } = useSearch({ from: '/signed-in/t/$tenantId/invoices' });
  const invoices = useQuery(invoicesQuery(tenantId, page, status));
  return (
    <>
      <TenantHead title="Invoices" />
      <Filters fields={STATES} values={{ status }} />
      <List
        label="Invoices"
        query={invoices}
        columns={columnsOf(tenantId)}
        keyOf={({ id }) => id}
        empty="There is no invoice yet. The first one follows after the end of a month with paid deployments."
      />
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
  { title: 'Total', cell: ({ total_usd }) => usd(total_usd) },
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
