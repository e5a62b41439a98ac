import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Periodic work: when it is due, and how its last run ended. */
@Entity('schedules')
export class Schedule {
  @PrimaryColumn('text')
  name: string;

  @Column('timestamptz')
  due_at: Date;

  @Column('timestamptz')
  started_at: Date;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  @Column('text', { nullable: true })
  last_error: string | null;
}
