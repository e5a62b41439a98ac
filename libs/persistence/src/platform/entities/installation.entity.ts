import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The installation. The table has one row. */
@Entity('installation')
export class Installation {
  @PrimaryColumn('boolean', { default: true })
  one: boolean;

  @Column('text')
  name: string;

  /** Increases when the database is restored from a backup. */
  @Column('bigint', { default: 1 })
  timeline: number;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  destruction_held_since: Date | null;
}
