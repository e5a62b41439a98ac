import type { TaskType } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A change of a configuration that a user started on the nodes of a deployment. */
@Entity('tasks')
export class Task {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  deployment_id: number;

  @Column('bigint')
  operation_id: number;

  @Column('text')
  type: TaskType;

  @Column('bigint', { nullable: true })
  config_id: number | null;

  @Column('bigint', { nullable: true })
  author_id: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
