import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The answer to a request with an idempotency key. */
@Entity('idempotency_records')
export class IdempotencyRecord {
  @PrimaryColumn('text')
  caller: string;

  @PrimaryColumn('text')
  key: string;

  @Column('bytea')
  request_hash: Buffer;

  /** Sealed. */
  @Column('text')
  answer: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
