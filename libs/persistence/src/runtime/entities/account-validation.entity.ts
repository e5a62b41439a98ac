import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A cloud account of a tenant whose access a Supervisor has checked. */
@Entity('account_validations')
export class AccountValidation {
  @PrimaryColumn('bigint')
  tenant_id: number;

  @PrimaryColumn('text')
  cloud: 'aws' | 'gcp';

  @PrimaryColumn('text')
  account_id: string;

  @Column('timestamptz', { default: () => 'now()' })
  validated_at: Date;
}
