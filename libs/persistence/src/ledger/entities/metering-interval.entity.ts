import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The shape and the price of a deployment from one moment on. */
@Entity('metering_intervals')
export class MeteringInterval {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('text')
  event_key: string;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  deployment_id: number;

  @Column('timestamptz', { default: () => 'now()' })
  effective_at: Date;

  /** Null ends the metering. */
  @Column('jsonb', { nullable: true })
  shape: object | null;

  @Column('numeric', { precision: 14, scale: 2 })
  monthly_compute_usd: string;

  @Column('numeric', { precision: 14, scale: 2 })
  monthly_storage_usd: string;

  @Column('text')
  pricing_version: string;
}
