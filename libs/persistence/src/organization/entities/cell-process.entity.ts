import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A running process of the Supervisor. */
@Entity('cell_processes')
export class CellProcess {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  cell: string;

  @Column('boolean')
  has_gateway: boolean;

  @Column('text')
  version: string;

  @Column('timestamptz', { default: () => 'now()' })
  started_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  seen_at: Date;
}
