import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ChannelId, DivisionId, TenantId } from '@libs/domain';

/** A destination of notifications. */
@Entity('notification_channels')
export class NotificationChannel {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ChannelId;

  @Column('bigint')
  tenant_id: TenantId;

  /** Null for a channel of the whole tenant. */
  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('text')
  channel: 'slack' | 'webhook' | 'email';

  @Column('text')
  name: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  /** Sealed. */
  @Column('text', { default: '' })
  destination: string;

  /** Sealed. */
  @Column('text', { nullable: true })
  settings: string | null;

  /** Sealed. */
  @Column('text', { nullable: true })
  secret: string | null;

  /** Sealed. */
  @Column('text', { nullable: true })
  previous_secret: string | null;

  @Column('timestamptz', { nullable: true })
  previous_until: Date | null;

  @Column('text', { nullable: true })
  remarks: string | null;

  @Column('timestamptz', { nullable: true })
  tested_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @Column('bytea', { nullable: true })
  confirmed_address: Buffer | null;

  @Column('timestamptz', { nullable: true })
  redelivered_at: Date | null;

  @Column('boolean', { default: false })
  notice_due: boolean;
}
