import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { EmailTokenId, UserId } from '@libs/domain';

/** A token that was sent to the address of a user, to verify the address or to reset the password, or that a start printed. */
@Entity('email_tokens')
export class EmailToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: EmailTokenId;

  @Column('bigint')
  user_id: UserId;

  @Column('text')
  purpose: 'verify' | 'reset' | 'first_sign_in';

  @Column('bytea')
  token_hash: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  used_at: Date | null;
}
