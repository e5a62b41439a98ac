import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A signed-in browser of a user. */
@Entity('sessions')
export class Session {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  user_id: number;

  @Column('bytea')
  token_hash: Buffer;

  @Column('text')
  address: string;

  @Column('text', { default: '' })
  user_agent: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Rounded to the minute. */
  @Column('timestamptz', { default: () => 'now()' })
  last_seen_at: Date;

  @Column('timestamptz')
  expires_at: Date;
}
