import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { BillingReportId, InvoiceId, TenantId } from '@libs/domain';
import type { BillingInfo } from './billing-info.entity.js';

/** The addressee as of the time when the invoice was issued. */
export interface BillTo extends Pick<BillingInfo, 'company' | 'email' | 'address' | 'tax_id' | 'purchase_order'> {
  tenant: string;
}

/** The invoice of a tenant for one month. */
@Entity('invoices')
export class Invoice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: InvoiceId;

  @Column('bigint')
  report_id: BillingReportId;

  @Column('bigint')
  tenant_id: TenantId;

  /** The first day of the month. */
  @Column('date')
  month: string;

  @Column('text')
  status: 'draft' | 'pending' | 'paid' | 'failed' | 'cancelled';

  /** Null for a draft. */
  @Column('text', { nullable: true })
  number: string | null;

  @Column('text', { nullable: true })
  provider: 'manual' | 'card' | null;

  @Column('jsonb')
  bill_to: BillTo;

  @Column('timestamptz', { nullable: true })
  issued_at: Date | null;

  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  /** When the invoice was paid or cancelled. */
  @Column('timestamptz', { nullable: true })
  settled_at: Date | null;

  /** Number of declined attempts. */
  @Column('integer', { default: 0 })
  declines: number;

  @Column('timestamptz', { nullable: true })
  next_attempt_at: Date | null;

  /** Why the last payment attempt failed. */
  @Column('text', { nullable: true })
  failure: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
