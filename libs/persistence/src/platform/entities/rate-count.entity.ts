import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of requests of one subject within one slot of time. */
@Entity('rate_counts')
export class RateCount {
  @PrimaryColumn('text')
  subject: string;

  @PrimaryColumn('bigint')
  slot: number;

  @Column('integer')
  count: number;
}
