import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChannelId, DeliveryId, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@libs/domain';

/** One attempt to deliver. */
export interface AttemptLog {
  /** ISO 8601. */
  at: string;
  ms: number;
  /** HTTP status of the response. Null without a response. */
  status: number | null;
  /** Null when the destination accepted the event. */
  error: string | null;
  /** The first part of the response body, at most 1 KiB. Null without a response. */
  response: string | null;
}

/** One event for one channel, with the attempts to deliver it. */
@Entity('notification_deliveries')
export class NotificationDelivery {
  @PrimaryColumn('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @PrimaryColumn('bigint', { generated: 'identity' })
  id: DeliveryId;

  @Column('bigint')
  channel_id: ChannelId;

  /** Starts at 1, without gaps within the channel. */
  @Column('bigint')
  sequence: number;

  @Column('uuid')
  message_id: string;

  @Column('text')
  message_type: string;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('bigint', { nullable: true })
  environment_id: EnvironmentId | null;

  @Column('bigint', { nullable: true })
  deployment_id: DeploymentId | null;

  @Column('text')
  subject: string;

  /** Some lines of text. */
  @Column('text')
  content: string;

  @Column('jsonb')
  data: object;

  @Column('timestamptz')
  event_at: Date;

  @Column('text', { default: 'pending' })
  status: 'pending' | 'delivered' | 'failed' | 'suppressed';

  /** Number of earlier attempts. */
  @Column('integer', { default: 0 })
  attempts: number;

  @Column('timestamptz', { default: () => 'now()' })
  next_attempt_at: Date;

  @Column('timestamptz', { default: () => `(now() + '24:00:00'::interval)` })
  give_up_at: Date;

  @Column('timestamptz', { nullable: true })
  delivered_at: Date | null;

  @Column('jsonb', { default: [] })
  log: AttemptLog[];

  @Column('text', { nullable: true })
  status_reason: string | null;
}
