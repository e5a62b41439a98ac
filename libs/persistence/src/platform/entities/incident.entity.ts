import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { IncidentId, OperationId } from '@libs/domain';

/** A problem that needs a person. */
@Entity('incidents')
export class Incident {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: IncidentId;

  @Column('text')
  kind: string;

  /** Kind and subject identify an open incident. */
  @Column('text')
  subject: string;

  @Column('bigint', { nullable: true })
  operation_id: OperationId | null;

  @Column('text')
  detail: string;

  @Column('timestamptz', { default: () => 'now()' })
  opened_at: Date;

  @Column('timestamptz', { nullable: true })
  closed_at: Date | null;

  /** The decision of an operator about an unknown resource. */
  @Column('text', { nullable: true })
  decision: 'adopt' | 'destroy' | null;
}
