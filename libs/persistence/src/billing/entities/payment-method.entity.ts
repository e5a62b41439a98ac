import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '@libs/domain';

/** How a tenant pays. */
@Entity('payment_methods')
export class PaymentMethod {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @Column('text')
  provider: 'manual' | 'card';

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** The reference of the card at the payment gateway, or the purchase order. */
  @Column('text', { nullable: true })
  reference: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
