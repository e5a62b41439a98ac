import type { UpgradeShape, DeploymentId, DeploymentUpgradeId, OperationId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An upgrade of a deployment from one shape to another. */
@Entity('deployment_upgrades')
export class DeploymentUpgrade {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: DeploymentUpgradeId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  operation_id: OperationId;

  @Column('jsonb')
  from_shape: UpgradeShape;

  @Column('jsonb')
  to_shape: UpgradeShape;

  /** False: only terms change, and no node changes. */
  @Column('boolean')
  is_hardware: boolean;

  @Column('text', { default: 'pending' })
  status: 'pending' | 'applied' | 'reverted';

  @Column('timestamptz', { default: () => 'now()' })
  requested_at: Date;

  @Column('timestamptz', { nullable: true })
  settled_at: Date | null;
}
