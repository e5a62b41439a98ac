import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which tenants pay by invoice, and who agreed to that. Before, each tenant said so itself. Those tenants keep the agreement, and
 * one incident asks the operator to look at them; the first tenant is the operator's own.
 */
export class InvoiceAgreements1763683200065 implements MigrationInterface {
  name = 'InvoiceAgreements1763683200065';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table invoice_agreements (
        tenant_id bigint primary key references tenants,
        granted_by text not null check (granted_by in ('installation', 'operator', 'self_service', 'kept')),
        granted_at timestamptz not null default now()
      )`);
    await runner.query(`
      insert into invoice_agreements (tenant_id, granted_by)
      select id, case when id = (select min(id) from tenants) then 'installation' else 'kept' end
        from tenants t
       where id = (select min(id) from tenants)
          or exists (select 1 from payment_methods p where p.tenant_id = t.id and p.provider = 'manual')`);
    await runner.query(`
      insert into incidents (kind, subject, detail)
      select 'invoice_agreements_kept', 'installation',
             'Tenants that gave themselves an invoice agreement before this release, and keep it: ' || count(*) || '. ' ||
             'Look at them: landlord ops tenants list --invoice-agreement kept'
        from invoice_agreements a join tenants t on t.id = a.tenant_id and t.deleted_at is null
       where a.granted_by = 'kept' having count(*) > 0
      on conflict (kind, subject) where closed_at is null do nothing`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`delete from incidents where kind = 'invoice_agreements_kept'`);
    await runner.query('drop table invoice_agreements');
  }
}
