import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '@libs/domain';

/** A cloud account of a tenant whose access a Supervisor has checked. */
@Entity('account_validations')
export class AccountValidation {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('text')
  cloud: 'aws' | 'gcp';

  @PrimaryColumn('text')
  account_id: string;

  @Column('timestamptz', { default: () => 'now()' })
  validated_at: Date;
}
