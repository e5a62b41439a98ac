import type { TaskType, ConfigId, DeploymentId, OperationId, TaskId, UserId } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A change of a configuration that a user started on the nodes of a deployment. */
@Entity('tasks')
export class Task {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: TaskId;

  @Column('bigint')
  deployment_id: DeploymentId;

  @Column('bigint')
  operation_id: OperationId;

  @Column('text')
  type: TaskType;

  @Column('bigint', { nullable: true })
  config_id: ConfigId | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
