import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '@libs/domain';

/** A postal address. Missing parts are null. */
export interface PostalAddress {
  line_1: string | null;
  line_2: string | null;
  city: string | null;
  region: string | null;
  postal_code: string | null;
  /** ISO 3166-1, two letters. */
  country: string | null;
}

/** The addressee of the invoices of a tenant. */
@Entity('billing_infos')
export class BillingInfo {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @Column('text', { nullable: true })
  company: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('jsonb', { nullable: true })
  address: PostalAddress | null;

  @Column('text', { nullable: true })
  tax_id: string | null;

  @Column('text', { nullable: true })
  purchase_order: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
