import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { BackupId, DeploymentId, NodeId, OperationId, UserId } from '@libs/domain';

/** A backup of the nodes of a deployment. */
@Entity('backups')
export class Backup {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: BackupId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  operation_id: OperationId;

  /** Null for a backup of all nodes. */
  @Column('bigint', { nullable: true })
  node_id: NodeId | null;

  @Column('text')
  name: string;

  @Column('text')
  backup_type: 'manual' | 'scheduled' | 'pre_upgrade';

  @Column('text', { default: 'pending' })
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'deleting';

  @Column('text')
  region: string;

  @Column('text', { nullable: true })
  remarks: string | null;

  /** Identifies the key of its data. Null: the data is not encrypted. */
  @Column('text', { nullable: true })
  data_key_id: string | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  completed_at: Date | null;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Whether the schedule of the deployment took the backup. */
  @Column('boolean', { default: false })
  by_schedule: boolean;
}
