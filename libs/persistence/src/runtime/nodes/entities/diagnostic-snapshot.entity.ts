import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type {
  DeploymentId,
  DiagnosticSnapshotId,
  DivisionId,
  EnvironmentId,
  NodeId,
  OperationId,
  TenantId,
  UserId,
} from '@libs/domain';

/** A diagnostic snapshot of the nodes of a deployment. */
@Entity('diagnostic_snapshots')
export class DiagnosticSnapshot {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: DiagnosticSnapshotId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  division_id: DivisionId;

  @Column('bigint')
  environment_id: EnvironmentId;

  @Column('bigint')
  deployment_id: DeploymentId;

  /** Null for all nodes. */
  @Column('bigint', { nullable: true })
  node_id: NodeId | null;

  @Column('text')
  deployment_name: string;

  @Column('text')
  name: string;

  @Column('text', { default: 'processing' })
  status: 'processing' | 'completed';

  @Column('bigint')
  operation_id: OperationId;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

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
