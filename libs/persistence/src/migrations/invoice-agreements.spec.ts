import { createTestDatabase, given, type TestDatabase } from '@libs/testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { InvoiceAgreements1763683200065 } from './1763683200065-invoice-agreements.js';

describe('The migration to invoice agreements', () => {
  let database: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;
  const migration = new InvoiceAgreements1763683200065();

  beforeEach(async () => {
    database = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    runner = source.createQueryRunner();
  });
  afterEach(async () => {
    await runner.release();
    await source.destroy();
    await database.drop();
  });

  const rows = <T>(text: string, values: unknown[] = []): Promise<T[]> => source.query(text, values);
  const incidents = () =>
    rows<{ detail: string }>(`select detail from incidents where kind = 'invoice_agreements_kept'`);

  it('opens no incident where only the first tenant pays by invoice', async () => {
    const { tenantId } = await given.tenant({ rows });
    await migration.down(runner);

    await migration.up(runner);

    expect(await rows('select tenant_id::int, granted_by from invoice_agreements')).toEqual([
      { tenant_id: tenantId, granted_by: 'installation' },
    ]);
    expect(await incidents()).toEqual([]);
  });

  it('keeps the agreements that tenants gave themselves, and asks the operator to look at them', async () => {
    await given.tenant({ rows });
    const invoiced = await given.tenant({ rows });
    const byCard = await given.tenant({ rows });
    await migration.down(runner);
    await rows(`insert into payment_methods (tenant_id, provider) values ($1, 'manual'), ($2, 'card')`, [
      invoiced.tenantId,
      byCard.tenantId,
    ]);

    await migration.up(runner);

    expect(await rows(`select tenant_id::int from invoice_agreements where granted_by = 'kept'`)).toEqual([
      { tenant_id: invoiced.tenantId },
    ]);
    expect(await incidents()).toEqual([{ detail: expect.stringContaining('keep it: 1.') }]);
  });
});
