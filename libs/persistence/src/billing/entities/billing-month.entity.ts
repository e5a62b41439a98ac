import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A month whose accounts are closed. */
@Entity('billing_months')
export class BillingMonth {
  /** The first day of the month. */
  @PrimaryColumn('date')
  month: string;

  @Column('timestamptz', { default: () => 'now()' })
  closed_at: Date;

  /** When its last invoice was issued. Null while invoices are missing. */
  @Column('timestamptz', { nullable: true })
  settled_at: Date | null;

  /** The number of issued invoices. */
  @Column('integer', { default: 0 })
  invoices: number;
}
