import type { ActivityVerb, NodeRuntime } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An action on one runtime of one node, such as a restart of its broker. */
@Entity('activities')
export class Activity {
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

  @Column('bigint')
  node_id: number;

  @Column('bigint')
  operation_id: number;

  @Column('bigint', { nullable: true })
  author_id: number | null;

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
