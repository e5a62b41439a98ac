import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { BillingReportId, TenantId } from '@libs/domain';

/** The report of the charges of a tenant in one month. */
@Entity('billing_reports')
export class BillingReport {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: BillingReportId;

  @Column('bigint')
  tenant_id: TenantId;

  /** The first day of the month. */
  @Column('date')
  month: string;

  @Column('boolean')
  is_final: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  drawn_at: Date;
}
