import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The bytes that clients transferred from and to a deployment within an hour. */
@Entity('metering_transfers')
export class MeteringTransfer {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  deployment_id: number;

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
