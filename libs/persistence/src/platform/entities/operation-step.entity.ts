import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperationId } from '@libs/domain';

/** A step of an operation that has ended. */
@Entity('operation_steps')
export class OperationStep {
  @PrimaryColumn('bigint')
  operation_id: OperationId;

  @PrimaryColumn('integer')
  seq: number;

  @Column('text')
  name: string;

  @Column('text')
  status: 'succeeded' | 'failed' | 'cancelled' | 'undone' | 'skipped';

  @Column('integer')
  attempts: number;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz')
  finished_at: Date;

  @Column('text', { nullable: true })
  error: string | null;
}
