import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A backup of the nodes of a deployment. */
@Entity('backups')
export class Backup {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  deployment_id: number;

  @Column('bigint')
  operation_id: number;

  /** Null for a backup of all nodes. */
  @Column('bigint', { nullable: true })
  node_id: number | null;

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

  @Column('bigint', { nullable: true })
  author_id: number | null;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  completed_at: Date | null;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
