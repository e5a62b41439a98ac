import type {
  ActivityVerb,
  NodeRuntime,
  ActivityId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  NodeId,
  OperationId,
  TenantId,
  UserId,
} from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An action on one runtime of one node, such as a restart of its broker. */
@Entity('activities')
export class Activity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ActivityId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  division_id: DivisionId;

  @Column('bigint')
  environment_id: EnvironmentId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  node_id: NodeId;

  @Column('bigint')
  operation_id: OperationId;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('text')
  runtime: NodeRuntime;

  @Column('text')
  action: ActivityVerb;

  @Column('text', { default: 'processing' })
  status: 'processing' | 'completed' | 'rejected';

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  finished_at: Date | null;
}
