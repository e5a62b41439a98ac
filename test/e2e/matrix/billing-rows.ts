import type { Row } from './row.js';
import type { World } from './world.js';

const T = '/tenants/:tenant_id';
const B = `${T}/billing`;
const BILL_TO = { company: null, email: null, address: null, tax_id: null, purchase_order: null };
let months = 0;

/**
 * A month with charges for a deployment of the first division and with its invoice. No worker runs here to write them.
 */
const invoiced = async (world: World) => {
  const { cloud } = world;
  const { tenant_id, division_id, environment_id } = cloud.installation;
  const [row] = await cloud.rows<{ report: number; invoice: number }>(
    `with report as (
       insert into billing_reports (tenant_id, month, is_final)
       values ($1, ('1900-01-01'::date + make_interval(months => $4))::date, true) returning id, month
     ), line as (
       insert into billing_report_lines
       select id, 1, $6, 'aaaaaaaa', $2, 'Default', $3, 'sandbox', 730, 73000, 0, 1, 1, 0, '[]' from report
     )
     insert into invoices (report_id, tenant_id, month, status, number, bill_to, issued_at, due_at)
     select id, $1, month, 'pending', 'matrix ' || id, $5, now(), now() from report
     returning id::int as invoice, report_id::int as report`,
    [
      tenant_id,
      division_id,
      environment_id,
      (months += 1),
      JSON.stringify({ ...BILL_TO, tenant: world.name() }),
      world.name(),
    ],
  );
  return { billing_report_id: row?.report ?? 0, invoice_id: row?.invoice ?? 0 };
};

/** Routes of billing: for the whole tenant, and for a division its own charges. */
export const BILLING_ROWS: Record<string, Row> = {
  'main-api: GET /pricing': { status: 200 },
  [`main-api: GET ${B}/info`]: { status: 200 },
  [`main-api: PUT ${B}/info`]: { status: 200, body: (world) => ({ company: world.name() }) },
  [`main-api: GET ${B}/usage`]: { status: 200 },
  [`main-api: GET ${B}/reports`]: { status: 200 },
  [`main-api: GET ${B}/reports/:billing_report_id`]: { status: 200, path: invoiced, otherDivision: 404 },
  [`main-api: GET ${B}/reports/:billing_report_id/lines`]: { status: 200, path: invoiced, otherDivision: 404 },
  [`main-api: GET ${B}/invoices`]: { status: 200 },
  [`main-api: GET ${B}/invoices/:invoice_id`]: { status: 200, path: invoiced, otherDivision: 404 },
  [`main-api: GET ${B}/invoices/:invoice_id/lines`]: { status: 200, path: invoiced, otherDivision: 404 },
  [`main-api: GET ${B}/invoices/:invoice_id/pdf`]: { status: 200, path: invoiced, otherDivision: 404 },
  [`main-api: GET ${B}/payments/method`]: { status: 200 },
  [`main-api: PUT ${B}/payments/method`]: {
    status: 200,
    body: (world) => ({ provider: 'manual', reference: world.name() }),
  },
  // The route deletes the method, so each call creates it again.
  [`main-api: DELETE ${B}/payments/method`]: {
    status: 204,
    path: async (world) => {
      await world.cloud.main().put(`${world.cloud.tenant}/billing/payments/method`, { provider: 'manual' });
      // Other calls have created paid deployments, and a method in use cannot be deleted. The deployments stay, but
      // without a paid managed tier.
      await world.cloud.rows('update deployments set managed_tier = null where tenant_id = $1', [
        world.cloud.installation.tenant_id,
      ]);
      return {};
    },
  },
};
