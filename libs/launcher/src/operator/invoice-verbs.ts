import type { TenantId } from '@libs/domain';
import { InvoiceCommands } from '@libs/operator';
import { fields, printFacts, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

export interface InvoiceListOptions extends Output {
  tenant?: TenantId;
  status?: string;
  month?: string;
  limit: number;
}

type Invoice = Awaited<ReturnType<InvoiceCommands['get']>>;

/** `landlord ops invoices list` */
export async function listInvoices(options: InvoiceListOptions): Promise<void> {
  const { tenant = null, status = null, month = null, limit } = options;
  const rows = await withSession((session) =>
    new InvoiceCommands(session).list({ tenantId: tenant, status, month, limit }),
  );
  printList(
    rows,
    {
      number: (row) => row.number,
      tenant: (row) => `${row.tenant_id} ${row.tenant_name}`,
      ...fields('month', 'status', 'provider'),
      usd: (row) => row.total_usd,
      due: (row) => dayOf(row.due_at),
      settled: (row) => dayOf(row.settled_at),
      failure: (row) => row.failure,
    },
    options,
    'No invoices.',
  );
}

/** `landlord ops invoices show <number>` */
export async function showInvoice(number: string, output: Output): Promise<void> {
  const invoice = await withSession((session) => new InvoiceCommands(session).get(number));
  printFacts(factsOf(invoice), invoice, output);
}

/** `landlord ops invoices paid <number>` */
export async function payInvoice(number: string, { reference }: { reference?: string }): Promise<void> {
  const invoice = await withSession((session) => new InvoiceCommands(session).pay(number, reference ?? null));
  say(`${titleOf(invoice)} is paid.`);
}

/** `landlord ops invoices failed <number>` */
export async function failInvoice(number: string, { reason }: { reason: string }): Promise<void> {
  const invoice = await withSession((session) => new InvoiceCommands(session).fail(number, reason));
  say(`${titleOf(invoice)} has failed. The tenant sees this reason: ${invoice.failure}`);
}

/** `landlord ops invoices cancel <number>` */
export async function cancelInvoice(number: string, { reason }: { reason: string }): Promise<void> {
  const invoice = await withSession((session) => new InvoiceCommands(session).cancel(number, reason));
  say(`${titleOf(invoice)} is cancelled. Landlord does not use its number again.`);
}

/** `landlord ops months list` */
export async function listMonths(output: Output): Promise<void> {
  const rows = await withSession((session) => new InvoiceCommands(session).months());
  printList(
    rows,
    {
      month: (row) => row.month,
      closed: (row) => row.closed_at,
      settled: (row) => row.settled_at,
      invoices: (row) => row.invoices,
      usd: (row) => row.total_usd,
    },
    output,
    'No month is closed.',
  );
}

const dayOf = (time: Date | null): string | null => time && time.toISOString().slice(0, 10);

const titleOf = ({ number, total_usd, tenant_id, tenant_name }: Invoice): string =>
  `Invoice ${number} of tenant ${tenant_id} (${tenant_name}), ${total_usd} USD,`;

function factsOf(invoice: Invoice): Record<string, string | number | Date | null> {
  const { bill_to } = invoice;
  return {
    invoice: invoice.number,
    tenant: `${invoice.tenant_id} ${invoice.tenant_name}`,
    month: invoice.month,
    status: invoice.status,
    provider: invoice.provider,
    total: `${invoice.total_usd} USD, ${invoice.lines} deployments`,
    'bill to': [bill_to.company ?? bill_to.tenant, bill_to.email].filter(Boolean).join(', '),
    'purchase order': bill_to.purchase_order,
    issued: invoice.issued_at,
    due: invoice.due_at,
    settled: invoice.settled_at,
    failure: invoice.failure,
    'card declined': invoice.declines,
    'next attempt': invoice.next_attempt_at,
  };
}
