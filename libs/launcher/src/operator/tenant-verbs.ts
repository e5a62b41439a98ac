import type { TenantId } from '@libs/domain';
import { InvoiceAgreementCommands, TenantCommands } from '@libs/operator';
import { fields, printFacts, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops tenants list` */
export async function listTenants(output: Output & { invoiceAgreement?: string }): Promise<void> {
  const rows = await withSession((session) => new TenantCommands(session).list(output.invoiceAgreement));
  printList(
    rows,
    {
      ...fields('id', 'name', 'plan'),
      owner: (row) => row.owner_email,
      ...fields('deployments', 'members', 'keys'),
      'invoice agreement': (row) => row.invoice_agreement,
      created: (row) => row.created_at,
      deleted: (row) => row.deleted_at,
    },
    output,
    'No tenants.',
  );
}

/** `landlord ops tenants show <id>` */
export async function showTenant(id: TenantId, output: Output): Promise<void> {
  const tenant = await withSession((session) => new TenantCommands(session).get(id));
  const { plan_overrides, ...facts } = tenant;
  const overrides = Object.keys(plan_overrides).length > 0 ? JSON.stringify(plan_overrides) : null;
  printFacts({ ...facts, plan_overrides: overrides }, tenant, output);
}

/** `landlord ops tenants set-plan <id> <plan>` */
export async function setPlan(id: TenantId, plan: string, { override }: { override: string[] }): Promise<void> {
  const tenant = await withSession((session) => new TenantCommands(session).setPlan(id, plan, override));
  say(`Tenant ${id} (${tenant.name}) has the plan ${tenant.plan}. Overrides: ${JSON.stringify(tenant.plan_overrides)}`);
}

/** `landlord ops tenants invoice-agreement <id> grant|revoke` */
export async function changeInvoiceAgreement(id: TenantId, verb: 'grant' | 'revoke'): Promise<void> {
  const tenant = await withSession((session) => new InvoiceAgreementCommands(session)[verb](id));
  say(
    verb === 'grant'
      ? `Tenant ${id} (${tenant.name}) pays by invoice.`
      : `Tenant ${id} (${tenant.name}) no longer pays by invoice. Running deployments continue. New paid deployments need another payment method. The owner gets a mail.`,
  );
}
