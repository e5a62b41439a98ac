import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { SessionId, UserId } from '@libs/domain';

/** A signed-in browser of a user. */
@Entity('sessions')
export class Session {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: SessionId;

  @Column('bigint')
  user_id: UserId;

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
