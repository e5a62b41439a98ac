import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { UserId } from '@libs/domain';

/** A user account. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: UserId;

  /** As its person typed it. */
  @Column('text')
  email: string;

  /** The mailbox of the address (`canonicalMailbox`), never empty: a trigger fills it for an earlier release. */
  @Column('text', { default: '' })
  email_canonical: string;

  /** An older row has the same mailbox: an earlier release took both. */
  @Column('boolean', { default: false })
  email_doubled: boolean;

  @Column('text')
  name: string;

  @Column('text')
  password_hash: string;

  @Column('timestamptz', { nullable: true })
  email_verified_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  password_changed_at: Date;
}
