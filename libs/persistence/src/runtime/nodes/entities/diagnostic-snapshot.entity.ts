import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A diagnostic snapshot of the nodes of a deployment. */
@Entity('diagnostic_snapshots')
export class DiagnosticSnapshot {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  division_id: number;

  @Column('bigint')
  environment_id: number;

  @Column('bigint')
  deployment_id: number;

  /** Null for all nodes. */
  @Column('bigint', { nullable: true })
  node_id: number | null;

  @Column('text')
  deployment_name: string;

  @Column('text')
  name: string;

  @Column('text', { default: 'processing' })
  status: 'processing' | 'completed';

  @Column('bigint')
  operation_id: number;

  @Column('bigint', { nullable: true })
  author_id: number | null;

  @Column('boolean')
  redact_secrets: boolean;

  @Column('boolean')
  include_data: boolean;

  @Column('bigint', { default: 0 })
  size_bytes: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  completed_at: Date | null;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  deleting_at: Date | null;
}
