import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '@libs/domain';

/** The permission of a tenant to pay by invoice. */
@Entity('invoice_agreements')
export class InvoiceAgreement {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @Column('text')
  granted_by: 'installation' | 'operator' | 'self_service' | 'kept';

  @Column('timestamptz', { default: () => 'now()' })
  granted_at: Date;
}
