import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { CloudAccountId, TenantId } from '@libs/domain';

/** A cloud account that a tenant has saved. */
@Entity('cloud_accounts')
export class CloudAccount {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: CloudAccountId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  cloud: 'aws' | 'gcp';

  @Column('text')
  name: string;

  @Column('text')
  account_id: string;

  @Column('text', { nullable: true })
  region: string | null;

  /** Sealed. */
  @Column('text', { nullable: true })
  settings: string | null;

  @Column('text', { nullable: true })
  remarks: string | null;

  @Column('text', { default: 'active' })
  status: 'active' | 'inactive' | 'locked' | 'deleted';

  @Column('timestamptz', { nullable: true })
  validated_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  unproven_since: Date;
}
