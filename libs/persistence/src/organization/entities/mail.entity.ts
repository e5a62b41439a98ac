import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { MailId } from '@libs/domain';

/** A mail that Landlord sends or has sent. */
@Entity('mails')
export class Mail {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: MailId;

  @Column('text')
  message_id: string;

  @Column('text')
  recipient: string;

  @Column('text')
  subject: string;

  /** Sealed. */
  @Column('text')
  body: string;

  @Column('text', { default: 'waiting' })
  status: 'waiting' | 'delivered' | 'failed';

  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { default: () => 'now()' })
  next_attempt_at: Date;

  @Column('text', { nullable: true })
  last_error: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** Sealed. */
  @Column('text', { nullable: true })
  html: string | null;
}
