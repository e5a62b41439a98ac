import type { OperationStatus, OperationId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A move of an operation. Events have numbers within their operation. */
@Entity('operation_events')
export class OperationEvent {
  @PrimaryColumn('bigint')
  operation_id: OperationId;

  @PrimaryColumn('bigint')
  seq: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;

  @Column('text')
  event: 'step' | 'waiting' | 'retry' | 'incident' | 'ended';

  @Column('text')
  step: string;

  @Column('text')
  status: OperationStatus;

  @Column('integer')
  attempt: number;

  @Column('text', { nullable: true })
  detail: string | null;
}
