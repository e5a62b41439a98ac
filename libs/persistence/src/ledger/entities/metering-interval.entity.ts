import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeploymentId, MeteringIntervalId, TenantId } from '@libs/domain';

/** The shape and the price of a deployment from one moment on. */
@Entity('metering_intervals')
export class MeteringInterval {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: MeteringIntervalId;

  @Column('text')
  event_key: string;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  deployment_id: DeploymentId;

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
