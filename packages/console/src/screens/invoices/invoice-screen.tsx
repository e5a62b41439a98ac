import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { usd } from '../../lib/usd.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Facts } from '../../ui/text/facts.js';
import { List } from '../../ui/list/list.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { Status } from '../../ui/text/status.js';
import { Time } from '../../ui/text/time.js';
import { CHARGES } from '../billing/charges.js';

/** One invoice with its charges. */
export function InvoiceScreen() {
  const { tenantId, invoiceId } = useParams({ from: '/signed-in/t/$tenantId/invoices/$invoiceId' });
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId/invoices/$invoiceId' });
  const { data: invoice, error } = useQuery(readQuery(tenantId, 'invoices.get', { invoice_id: invoiceId }));
  const lines = useQuery(readQuery(tenantId, 'invoices.listLines', { invoice_id: invoiceId, page }));
  return (
    <>
      <TenantHead
        above={
          <Link to="/t/$tenantId/invoices" params={{ tenantId }}>
            Invoices
          </Link>
        }

        title={invoice ? `Invoice of ${invoice.month}` : 'Invoice'}
        action={
          // The cookie of the session opens the address.
          <a href={`/tenants/${tenantId}/billing/invoices/${invoiceId}/pdf`} download>
            Download as PDF
          </a>
        }
      />
      {error && <Problem error={error} />}
      {invoice && <InvoiceFacts invoice={invoice} />}
      <Section title="Charges">
        <List
          label="Charges"
          query={lines}
          columns={CHARGES}
          keyOf={({ deployment }) => deployment.id}
          empty="The invoice has no charge."
        />
      </Section>
    </>
  );
}

const InvoiceFacts = ({ invoice }: { invoice: Main.InvoiceView }) => (
  <Facts
    values={{
      Number: invoice.number ?? 'not issued',
      State: <Status of={invoice.status} />,
      Total: <strong>{usd(invoice.total_usd)}</strong>,
      Due: invoice.due_at && <Time at={invoice.due_at} />,
      Failure: invoice.failure,
    }}
  />
);
