import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeploymentId, MeteringTransferId, TenantId } from '@libs/domain';

/** The bytes that clients transferred from and to a deployment within an hour. */
@Entity('metering_transfers')
export class MeteringTransfer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: MeteringTransferId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('timestamptz')
  effective_at: Date;

  @Column('bigint')
  bytes: number;

  @Column('numeric', { precision: 14, scale: 6 })
  usd_per_gb: string;

  @Column('text')
  pricing_version: string;

  @Column('timestamptz', { default: () => 'now()' })
  metered_at: Date;
}
