import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { UserId } from '@libs/domain';

/** A user account. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: UserId;

  @Column('text')
  email: string;

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
